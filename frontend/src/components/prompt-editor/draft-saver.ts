import { asProblem } from "@/api/problem";
import type { DraftChange, DraftRead } from "@/api/types";
import { bodyOf, type Content } from "./content";
import { isDirty, reduceDraft, startDraft, type DraftAction, type DraftState } from "./draft-state";

const PAUSE = 1500;
const RETRY = 5000;

/**
 * Keeps a draft saved while it is written: after a pause, when asked to, and again and again while
 * the server is out of reach. Saves never overlap, so the versions they are based on are right.
 */
export class DraftSaver {
  #state: DraftState;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #send: (change: DraftChange) => Promise<DraftRead>;

  constructor(draft: DraftRead, send: (change: DraftChange) => Promise<DraftRead>) {
    this.#state = startDraft(draft);
    this.#send = send;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): DraftState => this.#state;

  edit(content: Content): void {
    this.#apply({ type: "edited", content });
    if (this.#state.phase === "idle") {
      this.#wait(PAUSE);
    }
  }

  /** A draft that was read anew; ignored when something of one's own would be lost. */
  read(draft: DraftRead): void {
    this.#apply({ type: "read", draft });
  }

  replace(draft: DraftRead): void {
    clearTimeout(this.#timer);
    this.#apply({ type: "replaced", draft });
  }

  /** Ends a conflict; resolves when the choice is saved, or could not be. */
  resolve(content: Content): Promise<void> {
    this.#apply({ type: "resolved", content });
    return this.flush();
  }

  /** Saves until nothing is left to save, or saving is not possible. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#running !== null || this.#canSave()) {
      this.#running ??= this.#save();
      await this.#running;
    }
  }

  /** The page is left: what can be saved is, and nothing is tried again. */
  close(): void {
    void this.flush().finally(() => clearTimeout(this.#timer));
  }

  /** Tries once more after the server was out of reach. */
  retry(): void {
    if (this.#state.phase === "offline") {
      this.#running ??= this.#save();
      void this.flush();
    }
  }

  #canSave(): boolean {
    return isDirty(this.#state) && this.#state.phase === "idle";
  }

  async #save(): Promise<void> {
    this.#apply({ type: "sending" });
    const { sent, savedTools, version } = this.#state;
    try {
      const body = bodyOf(sent ?? this.#state.mine, savedTools);
      this.#apply({ type: "saved", draft: await this.#send({ ...body, version }) });
    } catch (error) {
      this.#apply({ type: "refused", problem: asProblem(error) });
    }
    this.#running = null;
    if (this.#state.phase === "offline") {
      this.#wait(RETRY);
    }
  }

  #wait(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => (this.#state.phase === "offline" ? this.retry() : void this.flush()),
      delay,
    );
  }

  #apply(action: DraftAction): void {
    this.#state = reduceDraft(this.#state, action);
    this.#listeners.forEach((listener) => listener());
  }
}
