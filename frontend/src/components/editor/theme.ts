import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Uses the colour tokens of styles.css, which cover light and dark mode. */
const looks = EditorView.theme({
  "&": { backgroundColor: "var(--raised)", color: "var(--ink)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--font-mono)",
    fontVariantLigatures: "none",
    lineHeight: "1.5rem",
  },
  ".cm-content": { padding: "0.5rem 0", caretColor: "var(--ink)" },
  // Each line's direction follows its first word.
  ".cm-line": { padding: "0 1rem 0 0.5rem", unicodeBidi: "plaintext", textAlign: "start" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-content ::selection, .cm-content::selection": {
    backgroundColor: "color-mix(in srgb, var(--focus) 30%, transparent)",
  },
  ".cm-placeholder": { color: "var(--ink-subtle)" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--ink-subtle)",
    borderRight: "1px solid var(--border)",
  },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 0.25rem 0 0.75rem", minWidth: "2.25rem" },
  ".cm-foldGutter .cm-gutterElement": { width: "1rem", textAlign: "center", cursor: "pointer" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": {
    backgroundColor: "color-mix(in srgb, var(--surface-hover) 55%, transparent)",
  },
  ".cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLineGutter": { color: "var(--ink)" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--surface-hover)",
    border: "1px solid var(--border-strong)",
    color: "var(--ink-muted)",
    padding: "0 0.375rem",
    margin: "0 0.25rem",
  },
});

const templateParts = EditorView.theme({
  ".cm-variable": {
    backgroundColor: "var(--accent-bg)",
    color: "var(--on-accent-bg)",
    borderRadius: "0.25rem",
    padding: "0.0625rem 0",
    fontWeight: "500",
  },
  ".cm-tag": { color: "var(--info)" },
  ".cm-frozen": {
    backgroundColor: "var(--info-bg)",
    boxShadow: "inset 3px 0 0 var(--info)",
  },
  ".cm-frozen-mark": { color: "var(--ink-muted)" },
  ".cm-output-word": { color: "var(--warning)", fontWeight: "600" },
});

const findings = EditorView.theme({
  ".cm-lintRange": {
    backgroundImage: "none",
    paddingBottom: "0",
    textDecorationLine: "underline",
    textDecorationStyle: "wavy",
    textDecorationThickness: "1px",
    textUnderlineOffset: "0.25rem",
    textDecorationSkipInk: "none",
  },
  ".cm-lintRange-error": { backgroundImage: "none", textDecorationColor: "var(--danger)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecorationColor: "var(--warning)" },
  ".cm-lintRange-info": { backgroundImage: "none", textDecorationColor: "var(--info)" },
  ".cm-lintRange-active": { backgroundColor: "var(--warning-bg)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--border-strong)",
    borderRadius: "0.5rem",
    boxShadow: "0 10px 15px -3px rgb(0 0 0 / 0.1)",
    overflow: "hidden",
    maxWidth: "24rem",
  },
  ".cm-diagnostic": {
    padding: "0.375rem 0.75rem",
    fontFamily: "var(--font-sans)",
    fontSize: "0.75rem",
    lineHeight: "1.25rem",
    whiteSpace: "pre-wrap",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--danger)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--info)" },
});

const FIELD = {
  backgroundColor: "var(--raised)",
  backgroundImage: "none",
  border: "1px solid var(--border-input)",
  borderRadius: "0.25rem",
  color: "var(--ink)",
  fontSize: "0.75rem",
};

const panels = EditorView.theme({
  ".cm-panels": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    fontFamily: "var(--font-sans)",
  },
  ".cm-panels-bottom": { borderTop: "1px solid var(--border)" },
  ".cm-panel.cm-search": { padding: "0.5rem 2rem 0.5rem 0.75rem" },
  ".cm-panel.cm-search label": { fontSize: "0.75rem", color: "var(--ink-muted)" },
  ".cm-panel.cm-search [name=close]": { color: "var(--ink-muted)", fontSize: "1rem" },
  ".cm-textfield": { ...FIELD, padding: "0.25rem 0.5rem" },
  ".cm-button": { ...FIELD, padding: "0.25rem 0.625rem" },
  ".cm-searchMatch": { backgroundColor: "var(--warning-bg)" },
  ".cm-searchMatch-selected": { outline: "1px solid var(--warning)" },
});

const codeParts = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent-ink)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--ink-subtle)", fontStyle: "italic" },
  { tag: tags.definition(tags.function(tags.variableName)), color: "var(--info)" },
  { tag: tags.propertyName, color: "var(--accent-ink)" },
  { tag: tags.string, color: "var(--success)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--info)" },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: "var(--ink-muted)" },
]);

export const editorTheme: Extension = [
  looks,
  templateParts,
  findings,
  panels,
  syntaxHighlighting(codeParts),
];
