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

/** When to save: so long after the last change, or after the first that is not saved yet. */
export interface Rhythm {
  delay: number;
  after: "last" | "first";
}

export interface SaverOptions<Content, Read> {
  rules: DraftRules<Content, Read>;
  rhythm: Rhythm;
  /** `base` is what the server holds. */
  send: (content: Content, base: Read) => Promise<Read>;
}

/**
 * Keeps a draft saved while it is written: after a while, when asked to, and again and again while
 * the server is out of reach. Saves never overlap, so the versions they are based on are right.
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
    const { delay, after } = this.#options.rhythm;
    if (this.#state.phase === "idle" && (after === "last" || this.#timer === undefined)) {
      this.#wait(delay);
    }
  }

  /** A draft that was read anew; ignored when something of one's own would be lost. */
  read(read: Read): void {
    this.#apply({ type: "read", read });
  }

  replace(read: Read): void {
    this.#rest();
    this.#apply({ type: "replaced", read });
  }

  /** Ends a conflict; resolves when the choice is saved, or could not be. */
  resolve(content: Content): Promise<void> {
    this.#apply({ type: "resolved", content });
    return this.flush();
  }

  /** Saves until nothing is left to save, or saving is not possible. */
  async flush(): Promise<void> {
    this.#rest();
    while (this.#running !== null || this.#canSave()) {
      this.#running ??= this.#save();
      await this.#running;
    }
  }

  /** The page is left: what can be saved is, and nothing is tried again. */
  close(): void {
    void this.flush().finally(() => this.#rest());
  }

  /** Tries once more after the server was out of reach. */
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
