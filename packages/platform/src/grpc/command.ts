import type { Command } from "@conclave/cluster";
import type { SignedAuthorisation } from "@conclave/custody";
import type { Authorisation } from "./generated/conclave/signer/v2/Authorisation.gen.ts";
import type { Command__Output, Command as WireCommand } from "./generated/conclave/signer/v2/Command.gen.ts";

/** A command and the session that it begins. */
export interface SessionCommand {
  /** 32 bytes, as the caller chose it */
  readonly session: Uint8Array;
  readonly command: Command;
}

const toAuthorisation = ({ payload, signature }: SignedAuthorisation): Authorisation => ({
  payload: Buffer.from(payload),
  signature: Buffer.from(signature),
});

const maybe = (given: SignedAuthorisation | undefined): { readonly authorisation?: Authorisation } =>
  given === undefined ? {} : { authorisation: toAuthorisation(given) };

/** A command as it goes out to a signer. */
export const toCommand = ({ session, command }: SessionCommand): WireCommand => ({
  sessionId: Buffer.from(session),
  expiresAtMs: command.expiresAtMs,
  ...askedBy(command),
});

const askedBy = (command: Command): WireCommand => {
  switch (command.kind) {
    case "auxiliary":
      return { auxiliary: { epoch: command.epoch, ...maybe(command.authorisation) } };
    case "key-generation":
      return { keyGeneration: { authorisation: toAuthorisation(command.authorisation) } };
    case "key-import": {
      const encryptedShare = Buffer.from(command.envelope);
      return { keyImport: { authorisation: toAuthorisation(command.authorisation), encryptedShare } };
    }
    case "key-export":
      return { keyExport: { authorisation: toAuthorisation(command.authorisation) } };
    case "key-refresh":
      return { keyRefresh: { authorisation: toAuthorisation(command.authorisation) } };
    case "key-reshare": {
      const { dealers, info } = command;
      const authorisation = toAuthorisation(command.authorisation);
      return { keyReshare: { authorisation, dealers: [...dealers], publicInfo: Buffer.from(info) } };
    }
    case "presigning":
      return { presigning: { quorum: [...command.quorum], keyId: command.keyId } };
    case "signing": {
      const { quorum, keyId, unsigned, presignatures, part, dead } = command;
      return {
        signing: {
          quorum: [...quorum],
          keyId,
          authorisation: toAuthorisation(command.authorisation),
          unsigned: Buffer.from(unsigned),
          presignatureIds: [...presignatures],
          dead: dead === undefined ? null : toAuthorisation(dead),
          partFrom: part?.from ?? 0,
          partCount: part?.count ?? 0,
        },
      };
    }
  }
};

/** An authorisation that is missing has no signature, and is refused as such. */
const fromAuthorisation = (wire: SignedAuthorisation | null): SignedAuthorisation =>
  wire ?? { payload: new Uint8Array(0), signature: new Uint8Array(0) };

/** A command as it came in; undefined when it asks for nothing that this version knows. */
export const fromCommand = (wire: Command__Output): SessionCommand | undefined => {
  const command = commandIn(wire);
  return command === undefined ? undefined : { session: wire.sessionId, command };
};

const commandIn = (wire: Command__Output): Command | undefined => {
  const { expiresAtMs, auxiliary, keyGeneration, keyImport, keyExport, keyRefresh, keyReshare } = wire;
  if (auxiliary) {
    const { epoch, authorisation } = auxiliary;
    return { kind: "auxiliary", epoch, ...(authorisation === null ? {} : { authorisation }), expiresAtMs };
  }
  if (keyGeneration) return { kind: "key-generation", ...authorised(keyGeneration), expiresAtMs };
  if (keyImport) {
    const envelope = keyImport.encryptedShare;
    return { kind: "key-import", ...authorised(keyImport), envelope, expiresAtMs };
  }
  if (keyExport) return { kind: "key-export", ...authorised(keyExport), expiresAtMs };
  if (keyRefresh) return { kind: "key-refresh", ...authorised(keyRefresh), expiresAtMs };
  if (keyReshare) {
    const { dealers, publicInfo: info } = keyReshare;
    return { kind: "key-reshare", ...authorised(keyReshare), dealers, info, expiresAtMs };
  }
  if (wire.presigning) return { kind: "presigning", ...wire.presigning, expiresAtMs };
  return wire.signing ? { ...signingIn(wire.signing), expiresAtMs } : undefined;
};

const authorised = ({ authorisation }: { readonly authorisation: SignedAuthorisation | null }) => ({
  authorisation: fromAuthorisation(authorisation),
});

const signingIn = (signing: NonNullable<Command__Output["signing"]>) => {
  const { quorum, keyId, unsigned, presignatureIds, dead, partFrom, partCount } = signing;
  const named = { quorum, keyId, unsigned, presignatures: presignatureIds, dead: dead ?? undefined };
  const part = partCount === 0 ? {} : { part: { from: partFrom, count: partCount } };
  return { kind: "signing", ...named, ...part, ...authorised(signing) } as const;
};
