import { equalBytes } from "@noble/curves/utils.js";
import { decode } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { redealRun } from "../import/redeal.ts";
import { AGREED_FIELDS } from "../import/refusal.ts";
import { chainCodeOf } from "../import/round1.ts";
import type { ImportRun } from "../import/run.ts";
import { agreedOf, isProven, type Statement, statementCodec } from "../import/statement.ts";
import { importTermsCodec } from "../import/terms.ts";
import type { Scheme } from "../scheme.ts";
import { redistributionFault } from "./redistribution-faults.ts";
import { agreedIn, broadcastOf, notShown, type SignedRecord } from "./signed-record.ts";

const statementIn = <P extends GroupPoint<P>>(scheme: Scheme<P>, payload: Uint8Array): Statement<P> => {
  const statement = decode(statementCodec(scheme.curve), payload);
  return statement.ok ? statement.value : notShown("a statement is malformed");
};

/** The import whose digests the accused signed: the shown terms are checked against these digests. */
const importOf = <P extends GroupPoint<P>>(scheme: Scheme<P>, record: SignedRecord) => {
  const { attempt, session, accused, material } = record;
  const terms = decode(importTermsCodec(scheme.curve), material.message);
  if (!terms.ok) return notShown("the terms of the import are missing or malformed");
  const { parties, threshold, keyId, epoch } = attempt;
  const { assignment } = terms.value;
  if (!parties.every((party) => assignment.has(party))) return notShown("a party has no place in the import");
  const run: ImportRun<P> = { session, self: accused, parties, threshold, keyId, epoch, scheme, assignment };
  const own = statementIn(scheme, broadcastOf(record, 1, accused));
  if (own.kind !== "taken") return notShown("the accused refused its entry");
  const agreed = agreedOf(run, terms.value);
  const isSigned = AGREED_FIELDS.every((field) => equalBytes(agreed[field], own.agreed[field]));
  return isSigned
    ? { run, own, terms: terms.value }
    : notShown("the terms are not those that the accused signed");
};

const redealOf = <P extends GroupPoint<P>>(scheme: Scheme<P>, record: SignedRecord) => {
  const { run, terms } = importOf(scheme, record);
  const statements = new Map<PartyIndex, Statement<P>>(
    [...agreedIn(record, 1)].map(([party, payload]) => [party, statementIn(scheme, payload)]),
  );
  return redealRun(run, terms.publicShares, chainCodeOf(run, terms, statements));
};

/**
 * The check that the accused fails in a round of an import; undefined when it passes. The rounds that deal
 * the key anew count from 1 in the names of their checks, and from 2 in the session.
 */
export const importFault = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  record: SignedRecord,
  round: number,
  check: string,
): string | undefined => {
  const { accused } = record;
  if (round === 1) {
    const statement = decode(statementCodec(scheme.curve), broadcastOf(record, 1, accused));
    if (!statement.ok) return `import/1 decoding: ${statement.reason}`;
    const name = "import/1 Πsch of the imported share";
    if (check === name) {
      const { run, own, terms } = importOf(scheme, record);
      return isProven(run, accused, terms, own) ? undefined : name;
    }
  }
  return redistributionFault(record, redealOf(scheme, record), round, 1);
};
