import type { SignedAuthorisation } from "@conclave/custody";
import { authorisationOf } from "../columns.ts";

/** The payload that the authority signed, and its signature, in two columns. */
interface Signed {
  readonly authorisation: Uint8Array | undefined;
  readonly authorisationSignature: Uint8Array | undefined;
}

type WithAuthorisation<Row> = Row extends unknown
  ? Omit<Row, keyof Signed> & { readonly authorisation: SignedAuthorisation | undefined }
  : never;

/** The row with the two columns as one property. */
export function withAuthorisation<Row extends Signed>(row: Row): WithAuthorisation<Row>;
export function withAuthorisation(row: Signed): object {
  // property by property: rest syntax would take five times as long for an object with this many properties
  const made: Record<string, unknown> = {};
  for (const [property, value] of Object.entries(row))
    if (property !== "authorisationSignature") made[property] = value;
  made["authorisation"] = authorisationOf(row.authorisation, row.authorisationSignature);
  return made;
}
