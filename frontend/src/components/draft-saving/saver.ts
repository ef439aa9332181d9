import { asProblem } from "@/api/problem";
import {
  isUnsaved,
  reduceSaving,
  startSaving,
  type DraftRules,
  type SavingAction,
  type SavingState,
} from "./saving-state";

const RETRY = 5000;

/** When to save: delay after the last change, and maximum delay after the first unsaved change. */
export interface SaveDelays {
  delay: number;
  after: "last" | "first";
}

export interface SaverOptions<Content, Read> {
  rules: DraftRules<Content, Read>;
  delays: SaveDelays;
  /** `base` is the state last read from the server. */
  send: (content: Content, base: Read) => Promise<Read>;
}

/**
 * Autosaves a draft: after a pause, on demand, and with retries while the server is unreachable.
 * Saves never overlap, so each one is based on the version returned by the one before.
 */
export class Saver<Content, Read> {
  #state: SavingState<Content, Read>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #options: SaverOptions<Content, Read>;

  constructor(read: Read, options: SaverOptions<Content, Read>) {
    this.#state = startSaving(options.rules, read);
    this.#options = options;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): SavingState<Content, Read> => this.#state;

  edit(content: Content): void {
    this.#apply({ type: "edited", content });
    const { delay, after } = this.#options.delays;
    if (this.#state.phase === "idle" && (after === "last" || this.#timer === undefined)) {
      this.#wait(delay);
    }
  }

  /** Takes over a newly read draft; ignored when it would discard unsaved changes. */
  read(read: Read): void {
    this.#apply({ type: "read", read });
  }

  replace(read: Read): void {
    this.#rest();
    this.#apply({ type: "replaced", read });
  }

  /** Resolves a conflict; the promise settles when the choice is saved or saving failed. */
  resolve(content: Content): Promise<void> {
    this.#apply({ type: "resolved", content });
    return this.flush();
  }

  /** Saves until there are no unsaved changes or saving is not possible. */
  async flush(): Promise<void> {
    this.#rest();
    while (this.#running !== null || this.#canSave()) {
      this.#running ??= this.#save();
      await this.#running;
    }
  }

  /** Called when the page is left: flushes unsaved changes, without retries. */
  close(): void {
    void this.flush().finally(() => this.#rest());
  }

  /** Retries after the server was unreachable. */
  retry(): void {
    if (this.#state.phase === "offline") {
      this.#running ??= this.#save();
      void this.flush();
    }
  }

  #canSave(): boolean {
    return isUnsaved(this.#options.rules, this.#state) && this.#state.phase === "idle";
  }

  async #save(): Promise<void> {
    this.#apply({ type: "sending" });
    const { sent, mine, read } = this.#state;
    try {
      this.#apply({ type: "saved", read: await this.#options.send(sent ?? mine, read) });
    } catch (error) {
      this.#apply({ type: "refused", problem: asProblem(error) });
    }
    this.#running = null;
    if (this.#state.phase === "offline") {
      this.#wait(RETRY);
    }
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(delay: number): void {
    this.#rest();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#state.phase === "offline") {
        this.retry();
      } else {
        void this.flush();
      }
    }, delay);
  }

  #apply(action: SavingAction<Content, Read>): void {
    this.#state = reduceSaving(this.#options.rules, this.#state, action);
    this.#listeners.forEach((listener) => listener());
  }
}
