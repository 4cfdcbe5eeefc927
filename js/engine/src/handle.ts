import { EngineError } from './errors.js';
import { type Abi, call, generation } from './instance.js';

type Free = () => void;

/** Frees what JavaScript no longer holds, unless its instance is gone. */
const forgotten = new FinalizationRegistry<{ free: Free; born: number }>(({ free, born }) => {
  if (born === generation()) free();
});

/** Something that stays in the wasm's memory and is known by a number there. */
export class Handle {
  readonly #number: number;
  readonly #what: string;
  readonly #free: Free;
  readonly #born = generation();
  #freed = false;

  /** @internal */
  constructor(what: string, number: number, free: (number: number) => void) {
    this.#what = what;
    this.#number = number;
    this.#free = () => { free(number); };
    forgotten.register(this, { free: this.#free, born: this.#born }, this);
  }

  /**
   * The number by which the wasm knows it.
   *
   * @internal
   */
  get number(): number {
    if (this.#freed) throw new EngineError('handle.freed', `the ${this.#what} was freed`);
    if (this.#born !== generation()) {
      throw new EngineError('handle.lost', `the ${this.#what} was lost when the engine crashed; make it again`);
    }
    return this.#number;
  }

  /**
   * Whether it was neither freed nor lost.
   *
   * @internal
   */
  get isUsable(): boolean {
    return !this.#freed && this.#born === generation();
  }

  /** Frees its memory at once rather than when JavaScript forgets it. */
  free(): void {
    if (this.isUsable) this.#free();
    forgotten.unregister(this);
    this.#freed = true;
  }
}

/** How something is freed, by its number. */
export function freeing(free: (abi: Abi, number: number) => void): (number: number) => void {
  return (number) => {
    call((abi) => { free(abi, number); });
  };
}
