import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { MergeView, unifiedMergeView, type MergeConfig } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";
import { i18n } from "@/lib/i18n";
import type { MergeEditorProps } from "./editor-props";
import { commonExtensions, languageExtensions, lookExtensions } from "./extensions";
import { useWrapping } from "./wrapping";

const COLLAPSE = { margin: 3, minSize: 6 };

const colours = EditorView.theme({
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": {
    backgroundColor: "color-mix(in srgb, var(--danger-bg) 55%, transparent)",
  },
  "&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine": {
    backgroundColor: "color-mix(in srgb, var(--success-bg) 55%, transparent)",
  },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
    background: "var(--danger-bg)",
    textDecoration: "underline",
    textDecorationColor: "var(--danger)",
  },
  "&.cm-merge-b .cm-changedText": {
    background: "var(--success-bg)",
    textDecoration: "underline",
    textDecorationColor: "var(--success)",
  },
  "&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter": { background: "var(--danger)" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--success)" },
  ".cm-collapsedLines": {
    color: "var(--ink-muted)",
    background: "var(--surface-hover)",
    fontFamily: "var(--font-sans)",
    fontSize: "0.75rem",
  },
  // CodeMirror's own glyphs here are missing from our fonts.
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '"…"' },
});

function revertButton(): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "→";
  button.title = i18n.t("editor.merge.takeChunk");
  button.setAttribute("aria-label", button.title);
  return button;
}

function sideExtensions(props: MergeEditorProps, label: string, wrapping: boolean): Extension[] {
  const readOnly = props.onAfterChanged === undefined || label === props.beforeLabel;
  return [
    commonExtensions,
    colours,
    languageExtensions(props.language),
    lookExtensions({ label, wrapping, readOnly }),
    keymap.of([...historyKeymap, ...defaultKeymap]),
    readOnly ? [] : history(),
  ];
}

function openSplit(
  parent: HTMLElement,
  props: MergeEditorProps,
  wrapping: boolean,
  onChanged: (text: string) => void,
): () => void {
  const editable = props.onAfterChanged !== undefined;
  const config: MergeConfig = {
    gutter: true,
    ...(props.collapsed ? { collapseUnchanged: COLLAPSE } : {}),
    ...(editable ? { revertControls: "a-to-b", renderRevertControl: revertButton } : {}),
  };
  const view = new MergeView({
    ...config,
    parent,
    a: {
      doc: props.before,
      extensions: sideExtensions(props, props.beforeLabel, wrapping),
    },
    b: {
      doc: props.after,
      extensions: [
        sideExtensions(props, props.afterLabel, wrapping),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            onChanged(update.state.doc.toString());
          }
        }),
      ],
    },
  });
  if (props.autoFocus === true) {
    view.b.focus();
  }
  return () => view.destroy();
}

function openUnified(parent: HTMLElement, props: MergeEditorProps, wrapping: boolean): () => void {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: props.after,
      extensions: [
        sideExtensions(props, props.afterLabel, wrapping),
        unifiedMergeView({
          original: props.before,
          mergeControls: false,
          gutter: true,
          ...(props.collapsed ? { collapseUnchanged: COLLAPSE } : {}),
        }),
      ],
    }),
  });
  return () => view.destroy();
}

/** The diff itself; pages use the lazily loaded wrapper in merge-view.tsx. */
export function MergeEditor(props: MergeEditorProps) {
  const { before, mode, collapsed, language } = props;
  const host = useRef<HTMLDivElement>(null);
  const wrapping = useWrapping();
  const editable = props.onAfterChanged !== undefined;
  // Typing into an editable side must not rebuild the view.
  const after = editable ? null : props.after;
  const onChanged = useEffectEvent((text: string) => props.onAfterChanged?.(text));
  const open = useEffectEvent((parent: HTMLElement) =>
    mode === "split" || editable
      ? openSplit(parent, props, wrapping, onChanged)
      : openUnified(parent, props, wrapping),
  );
  useEffect(
    () => (host.current === null ? undefined : open(host.current)),
    [before, after, mode, collapsed, language, wrapping, editable],
  );
  return <div ref={host} className="min-h-0 flex-1 overflow-auto" />;
}
