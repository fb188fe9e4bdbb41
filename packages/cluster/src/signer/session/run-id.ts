import { type Attempt, attemptSession, type KeyHolders, type SchemeName } from "@conclave/threshold";
import { type SessionKey, sessionKey } from "../../control/session-key.ts";
import type { SignerConfig } from "../config.ts";

interface RunFields extends Omit<Attempt, "level" | "scheme" | "threshold" | "total"> {
  /** the key's; CGGMP24 when it is left out */
  readonly scheme?: SchemeName;
  /** the holders of the key, present or to come; the whole roster when the run is not about one key */
  readonly holders?: KeyHolders;
}

/** One run: its id, and all that the id is derived from. */
interface Run {
  readonly run: SessionKey;
  readonly attempt: Attempt;
}

/**
 * The id under which a signer runs a session. It is derived from the given id and from everything that honest parties
 * must agree on: signers that received different commands never meet, and so never mistake each other for cheats (INV-7, P11).
 * The deadline is part of it: who begins a session again under an id that signers have forgotten begins another run, in
 * which what they signed in the first shows nothing.
 */
export const runKey = (config: SignerConfig, { holders, ...fields }: RunFields): Run => {
  const attempt: Attempt = {
    ...fields,
    scheme: fields.scheme ?? "CGGMP24",
    level: config.parameters,
    threshold: holders?.threshold ?? config.threshold,
    total: holders?.parties.length ?? config.roster.size,
  };
  const session = attemptSession(attempt, config.roster);
  if (session === undefined) throw new Error("the parties of a session are in the roster");
  const run = sessionKey(session);
  if (run === undefined) throw new Error("a session id has 32 bytes");
  return { run, attempt };
};
