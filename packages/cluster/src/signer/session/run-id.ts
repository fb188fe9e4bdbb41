import { fail, ok, type Result } from "@conclave/custody";
import { type Attempt, attemptSession, type KeyHolders, type SchemeName } from "@conclave/threshold";
import { type Lives, livesDigest } from "../../control/lives.ts";
import { type SessionKey, sessionKey } from "../../control/session-key.ts";
import type { SignerConfig } from "../config.ts";

interface RunFields extends Omit<Attempt, "level" | "scheme" | "threshold" | "total"> {
  /** the key's scheme; absent for CGGMP24 */
  readonly scheme?: SchemeName;
  /** the key's holders, current or future; absent for the whole roster, where the run is not about one key */
  readonly holders?: KeyHolders;
  /** the lives that the command names */
  readonly lives: Lives;
}

/** One run: its id, and the values that the id is derived from. */
interface Run {
  readonly run: SessionKey;
  readonly attempt: Attempt;
}

/**
 * The id under which a signer runs a session. It is derived from the session id and from everything that honest parties
 * must agree on: signers that received different commands are in different runs, and so never mistake each other for
 * cheats (INV-7, P11). The id also binds the deadline and the lives of the parties: a session that begins again under
 * an id that a signer has forgotten is another run, in which messages of the first are no evidence.
 *
 * @returns outage SignerLifeUnknown when the command lacks the life of a party
 */
export const runKey = (config: SignerConfig, { holders, lives, ...fields }: RunFields): Result<Run> => {
  const lived = livesDigest(lives, fields.parties);
  if (lived === undefined) return fail("SignerLifeUnknown");
  const attempt: Attempt = {
    ...fields,
    agreed: [...fields.agreed, lived],
    scheme: fields.scheme ?? "CGGMP24",
    level: config.parameters,
    threshold: holders?.threshold ?? config.threshold,
    total: holders?.parties.length ?? config.roster.size,
  };
  const session = attemptSession(attempt, config.roster);
  if (session === undefined) throw new Error("the parties of a session are in the roster");
  const run = sessionKey(session);
  if (run === undefined) throw new Error("a session id has 32 bytes");
  return ok({ run, attempt });
};
