import type { ChangeSpec, EditorState, Extension, Range, Text } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from "@codemirror/view";
import { CLOSE, frozenSections, OPEN } from "@/lib/frozen";

const FROZEN = Decoration.line({ class: "cm-frozen" });
const MARK = Decoration.line({ class: "cm-frozen cm-frozen-mark" });

const sectionsOf = (doc: Text) => frozenSections(doc.toJSON());

function decorate(view: EditorView): DecorationSet {
  const { doc } = view.state;
  const found: Range<Decoration>[] = [];
  for (const { open, close } of sectionsOf(doc)) {
    for (let index = open; index <= Math.min(close, doc.lines - 1); index += 1) {
      const look = index === open || index === close ? MARK : FROZEN;
      found.push(look.range(doc.line(index + 1).from));
    }
  }
  return Decoration.set(found);
}

/** Shows frozen lines with a bar at their side. */
export const frozenLines: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }

    update(update: ViewUpdate) {
      if (update.docChanged) {
        this.decorations = decorate(update.view);
      }
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Freezes the selected lines; inside frozen sections, removes their marks instead. */
export function toggleFrozen({ doc, selection }: EditorState): ChangeSpec[] {
  const { from, to } = selection.main;
  const [first, last] = [doc.lineAt(from), doc.lineAt(to)];
  const touched = sectionsOf(doc).filter(
    ({ open, close }) => open < last.number && close >= first.number - 1,
  );
  if (touched.length === 0) {
    return [
      { from: first.from, insert: `${OPEN}\n` },
      { from: last.to, insert: `\n${CLOSE}` },
    ];
  }
  return touched
    .flatMap(({ open, close }) => [open, close])
    .filter((index) => index < doc.lines)
    .map((index) => {
      const line = doc.line(index + 1);
      // The last line has no line break after it, so the one before it goes.
      return line.to < doc.length
        ? { from: line.from, to: line.to + 1 }
        : { from: Math.max(0, line.from - 1), to: line.to };
    });
}

/** Freezes or unfreezes the selected lines of the editor inside an element. */
export function toggleFrozenIn(frame: HTMLElement): void {
  const editor = frame.querySelector<HTMLElement>(".cm-editor");
  const view = editor === null ? null : EditorView.findFromDOM(editor);
  if (view !== null) {
    view.dispatch({ changes: toggleFrozen(view.state), userEvent: "input.freeze" });
    view.focus();
  }
}
