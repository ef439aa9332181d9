import { Compartment, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { CodeEditorProps, Reveal } from "./editor-props";
import { languageExtensions, lookExtensions, writingExtensions } from "./extensions";
import { useWrapping } from "./wrapping";

function show(view: EditorView, { from, to }: Reveal): void {
  const length = view.state.doc.length;
  const range = { anchor: Math.min(from, length), head: Math.min(to, length) };
  view.dispatch({
    selection: range,
    effects: EditorView.scrollIntoView(range.anchor, { y: "center" }),
  });
  view.focus();
}

/** Replaces the document and keeps the cursor position where it still exists. */
function replaceText(view: EditorView, text: string): void {
  const { anchor, head } = view.state.selection.main;
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: text },
    selection: { anchor: Math.min(anchor, text.length), head: Math.min(head, text.length) },
  });
}

/** The editor itself; pages use the lazily loaded wrapper in code-editor.tsx. */
export function CodeMirror(props: CodeEditorProps) {
  const { value, language, label, readOnly = false, describedBy, placeholder, reveal } = props;
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const [settings] = useState(() => new Compartment());
  const wrapping = useWrapping();
  const onChanged = useEffectEvent((text: string) => props.onChanged?.(text));
  const onBlurred = useEffectEvent(() => props.onBlurred?.());
  const initial = useEffectEvent(() => value);

  useEffect(() => {
    if (host.current === null) {
      return undefined;
    }
    const created = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initial(),
        extensions: [
          writingExtensions,
          settings.of([]),
          EditorView.domEventHandlers({ blur: () => onBlurred() }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) {
              onChanged(update.state.doc.toString());
            }
          }),
        ],
      }),
    });
    setView(created);
    return () => {
      created.destroy();
      setView(null);
    };
  }, [settings]);

  useEffect(() => {
    view?.dispatch({
      effects: settings.reconfigure([
        languageExtensions(language),
        lookExtensions({ label, wrapping, readOnly, describedBy, placeholder }),
      ]),
    });
  }, [view, settings, language, label, wrapping, readOnly, describedBy, placeholder]);

  useEffect(() => {
    if (view !== null && view.state.doc.toString() !== value) {
      replaceText(view, value);
    }
  }, [view, value]);

  useEffect(() => {
    if (view !== null && reveal !== undefined) {
      show(view, reveal);
    }
  }, [view, reveal]);

  return (
    <div
      ref={host}
      className="grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)] [&>.cm-editor]:min-h-0 [&>.cm-editor]:min-w-0"
    />
  );
}
