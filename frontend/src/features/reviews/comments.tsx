import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { SuggestionComment } from "@/api/types";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { ProblemState } from "@/components/problem-state";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { RelativeTime } from "@/components/ui/relative-time";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import { modKey } from "@/lib/shortcuts";
import { commentsQuery, SUGGESTION } from "./queries";

const LONGEST = 5000;

function Comment({ comment }: { comment: SuggestionComment }) {
  const { t } = useTranslation();
  const who = comment.author ?? t("reviews.comments.gone");
  return (
    <li className="flex gap-3">
      <Avatar size="sm" name={null} email={who} />
      <div className="grid min-w-0 flex-1 gap-0.5 text-sm">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 font-medium wrap-anywhere">{who}</span>
          <RelativeTime iso={comment.created_at} className="text-xs text-ink-subtle" />
        </p>
        <p className="wrap-anywhere whitespace-pre-wrap">{comment.text}</p>
      </div>
    </li>
  );
}

interface CommentsProps {
  slug: string;
  suggestionId: string;
  canComment: boolean;
  field: RefObject<HTMLTextAreaElement | null>;
}

function CommentForm({ slug, suggestionId, field }: CommentsProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const comment = useChange("post", `${SUGGESTION}/comments`, {
    project: slug,
    suggestion_id: suggestionId,
  });
  const submit = () => {
    if (text.trim() !== "" && !comment.isPending) {
      comment.mutate({ body: { text: text.trim() } }, { onSuccess: () => setText("") });
    }
  };
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FormAlert message={comment.isError ? problemMessage(comment.error) : null} />
      <label className="grid gap-1.5">
        <span className="flex items-center gap-2 text-xs font-medium text-ink-muted">
          {t("reviews.comments.label")} <Kbd keys="c" />
        </span>
        <Textarea
          ref={field}
          rows={2}
          className="min-h-16"
          maxLength={LONGEST}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") {
              event.currentTarget.blur();
            } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              submit();
            }
          }}
        />
      </label>
      <div className="flex items-center justify-end gap-2">
        <span aria-hidden className="text-xs text-ink-subtle">
          <Kbd keys={`${modKey} Enter`} />
        </span>
        <Button
          type="submit"
          variant="secondary"
          size="sm"
          loading={comment.isPending}
          disabled={text.trim() === ""}
        >
          {t("reviews.comments.send")}
        </Button>
      </div>
    </form>
  );
}

function CommentList({ slug, suggestionId }: CommentsProps) {
  const { t } = useTranslation();
  const comments = useInfiniteQuery(commentsQuery(slug, suggestionId));
  if (comments.isPending) {
    return (
      <LoadingStatus>
        <Skeleton className="h-12" />
      </LoadingStatus>
    );
  }
  if (comments.isError) {
    return <ProblemState error={comments.error} onRetry={() => void comments.refetch()} />;
  }
  if (comments.data.items.length === 0) {
    return <p className="text-sm text-ink-muted">{t("reviews.comments.none")}</p>;
  }
  return (
    <>
      <ol className="grid gap-4">
        {comments.data.items.map((comment) => (
          <Comment key={comment.id} comment={comment} />
        ))}
      </ol>
      {comments.hasNextPage ? (
        <Button
          variant="ghost"
          size="sm"
          loading={comments.isFetchingNextPage}
          onClick={() => void comments.fetchNextPage()}
        >
          {t("ui.loadMore")}
        </Button>
      ) : null}
    </>
  );
}

/** Comments on a suggestion. */
export function Comments(props: CommentsProps) {
  const { t } = useTranslation();
  return (
    <section
      aria-labelledby="review-comments"
      className="grid content-start gap-4 rounded-xl border border-border bg-raised p-5"
    >
      <h2 id="review-comments" className="text-sm font-semibold">
        {t("reviews.comments.title")}
      </h2>
      <CommentList {...props} />
      {props.canComment ? <CommentForm {...props} /> : null}
    </section>
  );
}
