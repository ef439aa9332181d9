import { useMemo, type ReactNode } from "react";
import { parseMarkdown, type Block, type Inline } from "@/lib/markdown";

function InlineContent({ content }: { content: readonly Inline[] }) {
  return content.map((part, index): ReactNode => {
    switch (part.kind) {
      case "code":
        return (
          <code
            key={index}
            className="rounded-sm bg-surface-hover px-1 py-0.5 font-mono text-[0.9em]"
          >
            {part.text}
          </code>
        );
      case "strong":
        return <strong key={index}>{part.text}</strong>;
      case "emphasis":
        return <em key={index}>{part.text}</em>;
      case "link":
        // Links in model output are not clickable: the address is shown instead.
        return (
          <span key={index} className="wrap-anywhere">
            <span className="underline decoration-dotted">{part.text}</span>{" "}
            <span className="text-ink-muted">({part.address})</span>
          </span>
        );
      default:
        return <span key={index}>{part.text}</span>;
    }
  });
}

const HEADINGS = ["text-xl", "text-lg", "text-base"] as const;

function BlockContent({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      return (
        <p
          role="heading"
          aria-level={Math.min(block.level + 3, 6)}
          className={`font-semibold ${HEADINGS[block.level - 1] ?? "text-base"}`}
        >
          <InlineContent content={block.content} />
        </p>
      );
    case "list": {
      const Tag = block.ordered ? "ol" : "ul";
      return (
        <Tag className={`grid gap-1 pl-6 ${block.ordered ? "list-decimal" : "list-disc"}`}>
          {block.items.map((item, index) => (
            <li key={index}>
              <InlineContent content={item} />
            </li>
          ))}
        </Tag>
      );
    }
    case "code":
      return (
        <pre
          tabIndex={0}
          className="overflow-x-auto rounded-md bg-surface-hover p-3 font-mono text-sm"
        >
          {block.text}
        </pre>
      );
    case "quote":
      return (
        <blockquote className="border-l-2 border-border-strong pl-4 whitespace-pre-wrap text-ink-muted">
          <InlineContent content={block.content} />
        </blockquote>
      );
    case "rule":
      return <hr className="border-border" />;
    default:
      return (
        <p className="whitespace-pre-wrap">
          <InlineContent content={block.content} />
        </p>
      );
  }
}

/** Renders Markdown without clickable links or external content. */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div className="grid gap-3 wrap-anywhere">
      {blocks.map((block, index) => (
        <BlockContent key={index} block={block} />
      ))}
    </div>
  );
}
