import { type Problem, problem } from "@conclave/custody";
import {
  encode,
  encodeBase64,
  type ImportRefusal,
  importRefusalCodec,
  importSignerIdOf,
  type PartyIndex,
} from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import { idsOf, type Members } from "../quorum/choose.ts";

/** The faults that each signer found in an import that it refused. */
export type ImportRefusals = ReadonlyMap<PartyIndex, readonly ImportRefusal[]>;

const textOf = (refusals: readonly ImportRefusal[]): string =>
  refusals.map((refusal) => bytesToHex(encode(importRefusalCodec, refusal))).join();

/**
 * The faults that most signers report. Honest signers report the same, so once a threshold of signers agrees, the
 * faults are real, and the remaining reports are not awaited.
 */
export const mostSaid = (
  refused: ImportRefusals,
): { readonly refusals: readonly ImportRefusal[]; readonly count: number } => {
  const texts = [...refused.values()].map(textOf);
  const countOf = (text: string): number => texts.filter((other) => other === text).length;
  const counts = [...refused.values()].map((refusals) => ({ refusals, count: countOf(textOf(refusals)) }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most), { refusals: [], count: 0 });
};

const described = (roster: Members, refusal: ImportRefusal) => {
  if (refusal.kind === "difference") {
    const { field, views } = refusal;
    return { field, code: "Difference", signers: views.map(({ signers }) => idsOf(roster, signers)) };
  }
  const { signer, flaw } = refusal;
  const importKey = roster.get(signer)?.importKey;
  return {
    ...flaw,
    signer: idsOf(roster, [signer])[0],
    ...(importKey === undefined ? {} : { signerId: encodeBase64(importSignerIdOf(importKey)) }),
  };
};

/** A refusal for the client: for each wrong share its signer, the field as the wire names it, and the fault. */
export const importRefused = (roster: Members, refusals: readonly ImportRefusal[]): Problem =>
  problem("KeyImportRefused", { issues: refusals.map((refusal) => described(roster, refusal)) });
