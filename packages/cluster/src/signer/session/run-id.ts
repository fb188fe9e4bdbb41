import { type PartyIndex, type SchemeName, sessionId, withScheme } from "@conclave/threshold";
import { numberToBytesBE } from "@noble/curves/utils.js";
import { concatBytes } from "@noble/hashes/utils.js";
import type { CommandKind } from "../../control/command.ts";
import { type SessionKey, sessionKey } from "../../control/session-key.ts";
import type { SignerConfig } from "../config.ts";

interface RunFields {
  /** the session id as it was given, 32 bytes */
  readonly given: Uint8Array;
  /** the deadline that all were told, Unix milliseconds: ids are forgotten some time after it */
  readonly expiresAtMs: number;
  readonly protocol: CommandKind | "pooled-signing";
  readonly keyId: string;
  /** the key's; CGGMP24 when it is left out */
  readonly scheme?: SchemeName;
  readonly epoch: number;
  readonly parties: readonly PartyIndex[];
  /** whatever else the parties must agree on, each of a fixed length */
  readonly agreed: readonly Uint8Array[];
}

const TIME_BYTES = 8;

/**
 * The id under which a signer runs a session. It is derived from the given id and from everything that honest parties
 * must agree on: signers who were told different things never meet, and so never mistake each other for cheats (INV-7, P11).
 * The deadline is part of it: who begins a session again under an id that signers have forgotten begins another run, in
 * which what they signed in the first shows nothing.
 */
export const runKey = (config: SignerConfig, fields: RunFields): SessionKey => {
  const identityOf = (index: PartyIndex): Uint8Array => {
    const member = config.roster.get(index);
    if (member === undefined) throw new Error("the parties of a session are in the roster");
    return member.identity;
  };
  const { scheme = "CGGMP24", protocol } = fields;
  const key = sessionKey(
    sessionId({
      execution: concatBytes(fields.given, numberToBytesBE(fields.expiresAtMs, TIME_BYTES), ...fields.agreed),
      protocol: scheme === "CGGMP24" ? protocol : `${protocol}/${scheme}`,
      keyId: fields.keyId,
      epoch: fields.epoch,
      parties: fields.parties.map((index) => ({ index, identity: identityOf(index) })),
      threshold: config.threshold,
      total: config.roster.size,
      curve: withScheme(scheme, ({ curve }) => curve.name),
    }),
  );
  if (key === undefined) throw new Error("a session id has 32 bytes");
  return key;
};
