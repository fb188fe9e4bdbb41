import fc from "fast-check";

const DEEP = JSON.parse(`${"[".repeat(60)}${"]".repeat(60)}`);

/** Values that a careless or hostile caller may send instead of a valid one. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  "",
  " ",
  "\0",
  "\ud800",
  "\u202e\u0007\r\n",
  "ｆｕｌｌ　🂡 é",
  "'; drop table wallets; --",
  "../../etc/passwd",
  "%00",
  "__proto__",
  "0x",
  `0x${"0".repeat(40)}`,
  `0x${"f".repeat(64)}`,
  "a".repeat(5_000),
  "NaN",
  "-0",
  "1e400",
  "9".repeat(100),
  -1,
  0,
  0.5,
  1e9,
  1e300,
  Number.MAX_SAFE_INTEGER + 2,
  [],
  {},
  [[[]]],
  DEEP,
  { __proto__: null, constructor: "x", toString: 1 },
  { $ref: "#" },
  Array.from({ length: 300 }, (_, at) => at),
  "wa-00000-00000-0000000000000000",
  "us-00000-00000-0000000000000000",
  "2026-13-45T99:99:99Z",
];

export const hostile: fc.Arbitrary<unknown> = fc.constantFrom(...HOSTILE);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every place in a value, as its path. */
const placesIn = (value: unknown, way: readonly string[] = []): readonly (readonly string[])[] => {
  if (Array.isArray(value)) return [way, ...value.flatMap((each, at) => placesIn(each, [...way, `${at}`]))];
  if (!isObject(value)) return [way];
  return [way, ...Object.entries(value).flatMap(([key, each]) => placesIn(each, [...way, key]))];
};

const without = Symbol("without");

const replaced = (value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown => {
  if (step === undefined) return by;
  if (Array.isArray(value)) {
    return value.flatMap((each, at) => {
      const next = `${at}` === step ? replaced(each, rest, by) : each;
      return next === without ? [] : [next];
    });
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    key === step ? replaced(each, rest, by) : each,
  ]);
  return Object.fromEntries(entries.filter(([, each]) => each !== without));
};

type Spoil = "as it is" | "drop" | "replace" | "add";

const damaged = (whole: unknown, spoil: Spoil, place: number, by: unknown): unknown => {
  const places = placesIn(whole);
  const way = places[place % places.length] ?? [];
  switch (spoil) {
    case "as it is":
      return whole;
    case "drop":
      return way.length === 0 ? undefined : replaced(whole, way, without);
    case "replace":
      return replaced(whole, way, by);
    case "add":
      return isObject(whole) ? { ...whole, unexpected: by } : by;
  }
};

/** A fitting value with one place left out, replaced or extended; unchanged now and then. */
export const spoiled = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      value,
      fc.constantFrom<Spoil>("as it is", "drop", "replace", "replace", "replace", "add"),
      fc.nat(),
      hostile,
    )
    .map(([whole, spoil, place, by]) => damaged(whole, spoil, place, by));
