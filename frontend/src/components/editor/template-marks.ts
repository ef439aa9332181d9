import type { Extension, Range } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { Decoration, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import { findVariables, parseTemplate, type Syntax } from "@/lib/template";

/** Highlights variables, XML-like tags, blocks of Nunjucks and the keyword that makes the answer be parsed as JSON. */
const VARIABLE = Decoration.mark({ class: "cm-variable" });
const TAG = Decoration.mark({ class: "cm-tag" });
const OUTPUT_WORD = Decoration.mark({ class: "cm-output-word" });

const BLOCKS = /\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g;
const TAGS = /<\/?[A-Za-z][\w.-]*(?:\s[^<>]*)?\/?>/g;
const OUTPUT_WORDS = /\bjson\b/gi;

function marks(view: EditorView, syntax: Syntax): DecorationSet {
  const found: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    const text = view.state.sliceDoc(from, to);
    for (const [pattern, mark] of [
      [TAGS, TAG],
      [OUTPUT_WORDS, OUTPUT_WORD],
      ...(syntax === "nunjucks" ? ([[BLOCKS, TAG]] as const) : []),
    ] as const) {
      for (const match of text.matchAll(pattern)) {
        found.push(mark.range(from + match.index, from + match.index + match[0].length));
      }
    }
  }
  const { from, to } = view.viewport;
  for (const variable of findVariables(parseTemplate(view.state.doc.toString(), syntax))) {
    if (variable.end > from && variable.start < to) {
      found.push(VARIABLE.range(variable.start, variable.end));
    }
  }
  return Decoration.set(found, true);
}

export function templateMarks(syntax: Syntax): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = marks(view, syntax);
      }

      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged) {
          this.decorations = marks(update.view, syntax);
        }
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}
