import { SqlStateError } from "./sql-error.ts";

const TEN = 10n;
/** A quotient has this many digits after the point: PostgreSQL gives at least sixteen significant ones. */
const QUOTIENT_SCALE = 20;

/** An exact decimal number, `units / 10^scale`: the type numeric. */
export class Decimal {
  readonly units: bigint;
  readonly scale: number;

  constructor(units: bigint, scale: number) {
    this.units = units;
    this.scale = scale;
  }

  static of(whole: bigint): Decimal {
    return new Decimal(whole, 0);
  }

  /** @throws SqlStateError 22P02 for a text that is no number */
  static parse(text: string): Decimal {
    const found = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?\s*$/.exec(text);
    const [whole, fraction] = [found?.[2] ?? "", found?.[3] ?? ""];
    if (found === null || whole + fraction === "")
      throw new SqlStateError("22P02", `invalid input syntax for type numeric: "${text}"`);
    const units = BigInt(whole + fraction) * (found[1] === "-" ? -1n : 1n);
    const scale = fraction.length - Number(found[4] ?? 0);
    return scale >= 0 ? new Decimal(units, scale) : new Decimal(units * TEN ** BigInt(-scale), 0);
  }

  /** The units at another scale; digits that it has no place for are cut off. */
  unitsAt(scale: number): bigint {
    return scale >= this.scale
      ? this.units * TEN ** BigInt(scale - this.scale)
      : this.units / TEN ** BigInt(this.scale - scale);
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.unitsAt(scale) + other.unitsAt(scale), scale);
  }

  negated(): Decimal {
    return new Decimal(-this.units, this.scale);
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.units * other.units, this.scale + other.scale);
  }

  /** @throws SqlStateError 22012 for a division by zero */
  over(other: Decimal): Decimal {
    if (other.units === 0n) throw new SqlStateError("22012", "division by zero");
    const numerator = this.unitsAt(QUOTIENT_SCALE + other.scale);
    return new Decimal(numerator / other.units, QUOTIENT_SCALE);
  }

  compare(other: Decimal): number {
    const scale = Math.max(this.scale, other.scale);
    const difference = this.unitsAt(scale) - other.unitsAt(scale);
    return difference === 0n ? 0 : difference < 0n ? -1 : 1;
  }

  floor(): Decimal {
    const whole = this.unitsAt(0);
    const isBelow = this.units < 0n && whole * TEN ** BigInt(this.scale) !== this.units;
    return Decimal.of(isBelow ? whole - 1n : whole);
  }

  /** The nearest whole number; halves go away from zero. */
  rounded(): bigint {
    const sign = this.units < 0n ? -1n : 1n;
    const doubled = new Decimal(this.units * 2n * sign, this.scale);
    return ((doubled.unitsAt(0) + 1n) / 2n) * sign;
  }

  toNumber(): number {
    return Number(this.toString());
  }

  toString(): string {
    const sign = this.units < 0n ? "-" : "";
    const digits = `${this.units < 0n ? -this.units : this.units}`.padStart(this.scale + 1, "0");
    const point = digits.length - this.scale;
    return this.scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  }
}
