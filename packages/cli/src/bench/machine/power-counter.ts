import { createDiffieHellman } from "node:crypto";
import { cpuMs } from "./own-cpu.ts";

/** The modular powers of one size, counted. */
export interface PowerClass {
  readonly modulusBits: number;
  /** rounded up to the next 256 */
  readonly exponentBits: number;
  readonly count: number;
  /** CPU inside OpenSSL, in milliseconds */
  readonly ms: number;
}

interface Engine {
  computeSecret(this: unknown, ...given: readonly unknown[]): unknown;
  setPrivateKey(this: unknown, ...given: readonly unknown[]): unknown;
  getPrime(this: unknown, encoding: "hex"): unknown;
}

const SMALLEST_PRIME_BITS = 512;
const BITS_ROUNDED_TO = 256;
const HEX_DIGIT_BITS = 4;

/** Returns the class behind createDiffieHellman, which has no public name. */
const engineClass = (): Engine => {
  const made: unknown = Object.getPrototypeOf(createDiffieHellman(SMALLEST_PRIME_BITS));
  const isEngine = (value: unknown): value is Engine =>
    typeof value === "object" &&
    value !== null &&
    ["computeSecret", "setPrivateKey", "getPrime"].every((method) => method in value);
  if (!isEngine(made)) throw new Error("Node has no DiffieHellman.computeSecret");
  return made;
};

const roundedBits = (hex: unknown): number => {
  const digits = typeof hex === "string" ? hex.replace(/^0+/, "").length : 0;
  return Math.ceil((digits * HEX_DIGIT_BITS) / BITS_ROUNDED_TO) * BITS_ROUNDED_TO;
};

type Wrapped = Pick<Engine, "computeSecret" | "setPrivateKey">;

const wrappedOf = ({ computeSecret, setPrivateKey }: Engine): Wrapped => ({ computeSecret, setPrivateKey });

/**
 * Counts the modular powers of packages/threshold until it is disposed of. That package reaches OpenSSL only through
 * DiffieHellman.setPrivateKey (the exponent) and computeSecret (the base); both are wrapped here, and dispose restores them. For
 * benchmarks only.
 */
export class PowerCounter implements Disposable {
  readonly #engine = engineClass();
  readonly #original = wrappedOf(this.#engine);
  #classes = new Map<string, PowerClass>();

  constructor() {
    const { computeSecret, setPrivateKey } = this.#original;
    const { getPrime } = this.#engine;
    const lengths = new WeakMap<object, number>();
    const modulusBitsOf = (engine: unknown): number => {
      if (typeof engine !== "object" || engine === null) return 0;
      const bits = lengths.get(engine) ?? roundedBits(Reflect.apply(getPrime, engine, ["hex"]));
      lengths.set(engine, bits);
      return bits;
    };
    const counted = (modulusBits: number, exponentBits: number, ms: number): void => {
      const name = `${modulusBits}/${exponentBits}`;
      const known = this.#classes.get(name) ?? { modulusBits, exponentBits, count: 0, ms: 0 };
      this.#classes.set(name, { ...known, count: known.count + 1, ms: known.ms + ms });
    };
    let exponentBits = 0;
    this.#engine.setPrivateKey = function set(...given) {
      exponentBits = roundedBits(given[0]);
      return Reflect.apply(setPrivateKey, this, given);
    };
    this.#engine.computeSecret = function count(...given) {
      const began = cpuMs();
      const result = Reflect.apply(computeSecret, this, given);
      const ms = cpuMs() - began;
      counted(modulusBitsOf(this), exponentBits, ms);
      return result;
    };
  }

  reset(): void {
    this.#classes = new Map();
  }

  /** Returns the counts since the last reset. */
  take(): readonly PowerClass[] {
    return [...this.#classes.values()];
  }

  [Symbol.dispose](): void {
    Object.assign(this.#engine, this.#original);
  }
}
