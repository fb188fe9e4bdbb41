import { bytesToHex } from "@noble/curves/utils.js";
import type { PartyIndex } from "../fault.ts";
import { AGREED_FIELDS, type AgreedField, type AgreedView, type ImportRefusal } from "./refusal.ts";
import type { Statement } from "./statement.ts";

/** The statements of all parties, ours included, ascending by party. */
export type Statements<P> = ReadonlyMap<PartyIndex, Statement<P>>;

const viewsOf = <P>(statements: Statements<P>, field: AgreedField): readonly AgreedView[] => {
  const views = new Map<string, AgreedView>();
  for (const [party, statement] of statements) {
    if (statement.kind === "flawed") continue;
    const digest = statement.agreed[field];
    const signers = views.get(bytesToHex(digest))?.signers ?? [];
    views.set(bytesToHex(digest), { digest, signers: [...signers, party] });
  }
  return [...views.values()];
};

/**
 * All reasons to refuse an import. The echo makes all signers see the same statements, so every honest signer
 * ends with the same refusals.
 */
export const refusalsOf = <P>(statements: Statements<P>): readonly ImportRefusal[] => {
  const flawed = [...statements].flatMap(([signer, statement]): readonly ImportRefusal[] =>
    statement.kind === "flawed" ? [{ kind: "entry", signer, flaw: statement.flaw }] : [],
  );
  const differing = AGREED_FIELDS.flatMap((field): readonly ImportRefusal[] => {
    const views = viewsOf(statements, field);
    return views.length > 1 ? [{ kind: "difference", field, views }] : [];
  });
  return [...flawed, ...differing];
};
