/** A decimal number as text: a JavaScript number would round it, and drop trailing zeros that a node writes. */
export class JsonDecimal {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** The JSON values of a ledger's answers. Bigints become plain JSON numbers of any size. */
export type LedgerJson =
  | string
  | number
  | bigint
  | boolean
  | JsonDecimal
  | null
  | undefined
  | readonly LedgerJson[]
  | { readonly [key: string]: LedgerJson };

const isList = (value: LedgerJson): value is readonly LedgerJson[] => Array.isArray(value);

/** Serialises to JSON text. JSON.stringify throws on bigints, and a JavaScript number would round them. */
export const ledgerJson = (value: LedgerJson): string => {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof JsonDecimal) return value.digits;
  if (value === null || value === undefined || typeof value !== "object")
    return JSON.stringify(value ?? null);
  if (isList(value)) return `[${value.map(ledgerJson).join(",")}]`;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${ledgerJson(each)}`).join(",")}}`;
};
