import { decode, encode } from "../codec.ts";
import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { peersOf } from "../session/config.ts";
import { continuation } from "../session/continuation.ts";
import { mapOutput } from "../session/map-output.ts";
import type { Inbox, Round } from "../session/round.ts";
import { accuse, type FaultStep } from "../session/steps.ts";
import { hashFields } from "../transcript.ts";
import { refusalsOf, type Statements } from "./agreement.ts";
import type { ImportedShare, ParsedShare } from "./plaintext.ts";
import { redeal } from "./redeal.ts";
import type { ImportOutcome, ImportRun } from "./run.ts";
import { isProven, type Statement, statementBytesMax, statementCodec } from "./statement.ts";

const ROUND = 1;

/**
 * The statements of all parties, ours included, ascending; or the fault of the first party whose statement
 * does not decode.
 */
const readStatements = <P extends GroupPoint<P>>(
  run: ImportRun<P>,
  own: Statement<P>,
  inbox: Inbox,
): Statements<P> | FaultStep => {
  const statements = new Map<PartyIndex, Statement<P>>();
  for (const party of run.parties) {
    if (party === run.self) {
      statements.set(party, own);
      continue;
    }
    const statement = decode(statementCodec(run.scheme.curve), inbox.broadcast(party));
    if (!statement.ok) return accuse(party, `import/1 decoding: ${statement.reason}`);
    statements.set(party, statement.value);
  }
  return statements;
};

const checkProofs = <P extends GroupPoint<P>>(
  run: ImportRun<P>,
  share: ImportedShare<P>,
  statements: Statements<P>,
): FaultStep | undefined => {
  for (const peer of peersOf(run)) {
    const statement = statements.get(peer);
    if (statement?.kind !== "taken" || !isProven(run, peer, share, statement)) {
      return accuse(peer, "import/1 Πsch of the imported share");
    }
  }
  return undefined;
};

/**
 * The chain code c: the client's, or, without one, a hash of all statements, and so of the randomness in all
 * proofs.
 */
export const chainCodeOf = <P extends GroupPoint<P>>(
  { session, scheme }: Pick<ImportRun<P>, "session" | "scheme">,
  { chainCode }: Pick<ImportedShare<P>, "chainCode">,
  statements: Statements<P>,
): Uint8Array => {
  if (chainCode !== undefined) return chainCode;
  const all = [...statements.values()].map((each) => encode(statementCodec(scheme.curve), each));
  return hashFields("import chain code", [session, all]);
};

/**
 * Round 1: receives every party's statement on its entry; the echo makes them agree. A party that finds a
 * flaw states it rather than staying silent, and entries that differ show in their digests; in both cases all
 * parties end in the same refusal and keep nothing. When all entries are valid, the parties deal the key anew
 * at once: no imported share outlives this round.
 */
export const round1 = <P extends GroupPoint<P>>(
  run: ImportRun<P>,
  entry: ParsedShare<P>,
  own: Statement<P>,
): Round<ImportOutcome<P>> => ({
  number: ROUND,
  expects: { broadcast: "echo", direct: "none", payloadBytesMax: statementBytesMax(run.scheme.curve) },
  advance: (inbox, entropy) => {
    const statements = readStatements(run, own, inbox);
    if ("kind" in statements) return statements;
    const refusals = refusalsOf(statements);
    if (!entry.ok || refusals.length > 0) return { kind: "output", output: { kind: "refused", refusals } };
    const fault = checkProofs(run, entry.share, statements);
    if (fault !== undefined) return fault;
    const redealt = redeal(run, entry.share, chainCodeOf(run, entry.share, statements));
    const start = mapOutput(redealt, (share): ImportOutcome<P> => ({ kind: "imported", share }));
    return continuation(start, ROUND)(entropy);
  },
});
