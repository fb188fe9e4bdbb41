import { createDiffieHellman } from "node:crypto";
import { cpuMs } from "./own-cpu.ts";

/** Modular powers by OpenSSL. */
export interface Powers {
  readonly count: number;
  /** CPU inside OpenSSL */
  readonly ms: number;
}

interface Engine {
  computeSecret(this: unknown, ...given: readonly unknown[]): unknown;
}

const SMALLEST_PRIME_BITS = 512;

/** The class behind createDiffieHellman: it has no public name. */
const engineClass = (): Engine => {
  const made: unknown = Object.getPrototypeOf(createDiffieHellman(SMALLEST_PRIME_BITS));
  const isEngine = (value: unknown): value is Engine =>
    typeof value === "object" && value !== null && "computeSecret" in value;
  if (!isEngine(made)) throw new Error("Node has no DiffieHellman.computeSecret");
  return made;
};

/**
 * Counts the modular powers of packages/threshold while it lives, from outside: its one way to OpenSSL is
 * DiffieHellman.computeSecret, which is wrapped here and put back by dispose. For benchmarks only.
 */
export class PowerCounter implements Disposable {
  readonly #engine = engineClass();
  readonly #original = this.#engine.computeSecret;
  #count = 0;
  #ms = 0;

  constructor() {
    const original = this.#original;
    const counted = (began: number): void => {
      this.#count += 1;
      this.#ms += cpuMs() - began;
    };
    this.#engine.computeSecret = function count(...given) {
      const began = cpuMs();
      const result = Reflect.apply(original, this, given);
      counted(began);
      return result;
    };
  }

  reset(): void {
    this.#count = 0;
    this.#ms = 0;
  }

  take(): Powers {
    return { count: this.#count, ms: this.#ms };
  }

  [Symbol.dispose](): void {
    this.#engine.computeSecret = this.#original;
  }
}
