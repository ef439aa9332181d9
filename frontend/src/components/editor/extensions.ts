import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { python } from "@codemirror/lang-python";
import { foldGutter, foldKeymap, indentUnit } from "@codemirror/language";
import { linter, lintKeymap } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { cspNonce } from "@/lib/nonce";
import type { Syntax } from "@/lib/template";
import { promptFolding } from "./folding";
import { frozenLines } from "./frozen-lines";
import { findJsonProblems } from "./json-problems";
import type { JsonCheck } from "./json-values";
import type { EditorProblem } from "./problem";
import { templateMarks } from "./template-marks";
import { findTemplateProblems } from "./template-problems";
import { editorTheme } from "./theme";
import { toggleWrapping } from "./wrapping";

/** Language of an editor, with its diagnostics. */
export type EditorLanguage =
  | { kind: "template"; syntax: Syntax; missing?: ReadonlySet<string> }
  | { kind: "json"; check: JsonCheck }
  | { kind: "python" };

const LINT_DELAY = 300;
const NOTHING_MISSING: ReadonlySet<string> = new Set();

/**
 * Tab indents only in an editor that is written in or was clicked: who comes by keyboard passes
 * through. Escape returns the key to the page until the next edit.
 */
const tabLeavesUntilEdited: Extension = [
  keymap.of([
    {
      key: "Escape",
      run: (view) => {
        view.setTabFocusMode(true);
        return false;
      },
    },
  ]),
  EditorView.domEventHandlers({
    focus: (_, view) => view.setTabFocusMode(true),
    click: (_, view) => view.setTabFocusMode(false),
    blur: (_, view) => view.setTabFocusMode(false),
  }),
  EditorView.updateListener.of(({ docChanged, view }) => {
    if (docChanged) {
      view.setTabFocusMode(false);
    }
  }),
];

const wrapKey = keymap.of([
  {
    key: "Ctrl-Shift-z",
    preventDefault: true,
    run: () => {
      toggleWrapping();
      return true;
    },
  },
]);

function problems(find: (text: string) => EditorProblem[]): Extension {
  return linter((view) => find(view.state.doc.toString()), { delay: LINT_DELAY });
}

export function languageExtensions(language: EditorLanguage): Extension {
  if (language.kind === "python") {
    return [python(), indentUnit.of("    ")];
  }
  if (language.kind === "json") {
    return [json(), problems((text) => findJsonProblems(text, language.check))];
  }
  const { syntax, missing = NOTHING_MISSING } = language;
  return [
    templateMarks(syntax),
    frozenLines,
    promptFolding,
    problems((text) => findTemplateProblems(text, { syntax, missing })),
  ];
}

/** Extensions of all editors, including diffs. */
export const commonExtensions: Extension = [
  EditorView.cspNonce.of(cspNonce),
  editorTheme,
  lineNumbers(),
  wrapKey,
];

export const writingExtensions: Extension = [
  commonExtensions,
  // Folding rules come with the language, which is set after the gutter is created.
  foldGutter({
    foldingChanged: ({ transactions }) => transactions.some(({ reconfigured }) => reconfigured),
  }),
  history(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  tabLeavesUntilEdited,
  keymap.of([
    indentWithTab,
    ...searchKeymap,
    ...lintKeymap,
    ...foldKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ]),
];

export interface EditorLook {
  label: string;
  wrapping: boolean;
  readOnly: boolean;
  describedBy?: string | undefined;
  placeholder?: string | undefined;
}

export function lookExtensions(look: EditorLook): Extension {
  return [
    EditorView.contentAttributes.of({
      "aria-label": look.label,
      ...(look.readOnly ? { "aria-readonly": "true" } : {}),
      ...(look.describedBy === undefined ? {} : { "aria-describedby": look.describedBy }),
    }),
    EditorState.readOnly.of(look.readOnly),
    EditorView.perLineTextDirection.of(true),
    look.wrapping ? EditorView.lineWrapping : [],
    look.placeholder === undefined ? [] : placeholder(look.placeholder),
  ];
}
