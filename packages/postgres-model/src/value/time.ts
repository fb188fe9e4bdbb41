import { SqlStateError, UnknownSql } from "./sql-error.ts";

const MILLISECOND = 1_000;
const SECOND = 1_000 * MILLISECOND;
const UNITS: Readonly<Record<string, number>> = {
  microsecond: 1,
  millisecond: MILLISECOND,
  second: SECOND,
  minute: 60 * SECOND,
  hour: 3_600 * SECOND,
  day: 86_400 * SECOND,
};

/** Reads a time, in microseconds since 1970. @throws SqlStateError 22007 for a text that is no time */
export const parseTimestamp = (text: string): number => {
  if (text === "infinity") return Number.POSITIVE_INFINITY;
  if (text === "-infinity") return Number.NEGATIVE_INFINITY;
  if (text === "epoch") return 0;
  const found =
    /^(\d{4,}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,6})\d*)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text);
  const zone = (found?.[4] ?? "Z").replace(/^([+-]\d\d)$/, "$1:00");
  const ms = found === null ? Number.NaN : Date.parse(`${found[1]}T${found[2]}${zone}`);
  if (Number.isNaN(ms))
    throw new SqlStateError("22007", `invalid input syntax for type timestamp with time zone: "${text}"`);
  return ms * MILLISECOND + Number((found?.[3] ?? "").padEnd(6, "0"));
};

/** The text of a time, in UTC, as PostgreSQL writes it there. */
export const formatTimestamp = (microseconds: number): string => {
  if (!Number.isFinite(microseconds)) return microseconds > 0 ? "infinity" : "-infinity";
  const seconds = Math.floor(microseconds / SECOND);
  const [day, time] = new Date(seconds * 1_000).toISOString().slice(0, 19).split("T");
  const fraction = `${microseconds - seconds * SECOND}`.padStart(6, "0").replace(/0+$/, "");
  return `${day} ${time}${fraction === "" ? "" : `.${fraction}`}+00`;
};

/** Reads an interval of days and smaller units, such as `1 hour`. @throws UnknownSql for other forms */
export const parseInterval = (text: string): number => {
  const trimmed = text.trim();
  if (trimmed === "0") return 0;
  const parts = [...trimmed.matchAll(/(-?\d+(?:\.\d+)?)\s*([a-z]+?)s?(?:\s+|$)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== trimmed)
    throw new UnknownSql(`the interval '${text}'`);
  return parts.reduce((sum, [, amount, unit = ""]) => {
    const size = UNITS[unit];
    if (size === undefined) throw new UnknownSql(`the interval '${text}'`);
    return sum + Math.round(Number(amount) * size);
  }, 0);
};

/** The length of a unit that `make_interval` names in the plural, in microseconds. */
export const unitOf = (name: string): number => {
  const size = UNITS[{ secs: "second", mins: "minute", hours: "hour", days: "day" }[name] ?? ""];
  if (size === undefined) throw new UnknownSql(`make_interval of ${name}`);
  return size;
};
