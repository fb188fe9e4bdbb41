import { type Command, isLife, type Lives } from "@conclave/cluster";
import type { SignedAuthorisation } from "@conclave/custody";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import type { Command__Output, Life__Output, Command as WireCommand } from "./generated/proto.gen.ts";

/** A command and the session that it begins. */
export interface SessionCommand {
  /** 32 bytes, as the caller chose it */
  readonly session: Uint8Array;
  /** the lives that the session's signers showed */
  readonly lives: Lives;
  readonly command: Command;
}

/** A command as it is sent to a signer. */
export const toCommand = ({ session, lives, command }: SessionCommand): WireCommand => ({
  sessionId: session,
  lives: [...lives].map(([signer, life]) => ({ signer, life })),
  expiresAtMs: command.expiresAtMs,
  ...askedBy(command),
});

/** The command's fields by the message's names; the serializer drops fields that the message does not have. */
const askedBy = (command: Command): WireCommand => {
  switch (command.kind) {
    case "auxiliary":
      return { auxiliary: command };
    case "key-generation":
      return { keyGeneration: command };
    case "key-import":
      return { keyImport: command };
    case "key-export":
      return { keyExport: command };
    case "key-refresh":
      return { keyRefresh: command };
    case "key-reshare":
      return { keyReshare: command };
    case "presigning":
      return { presigning: command };
    case "signing": {
      const { dead = null, part: { from: partFrom, count: partCount } = { from: 0, count: 0 } } = command;
      return { signing: { ...command, dead, partFrom, partCount } };
    }
  }
};

/** Stands for a missing authorisation: it has no signature, so signers refuse it. */
const NOBODYS: SignedAuthorisation = { payload: new Uint8Array(0), signature: new Uint8Array(0) };

const authorised = <Asked extends { readonly authorisation: SignedAuthorisation | null }>(asked: Asked) => ({
  ...asked,
  authorisation: asked.authorisation ?? NOBODYS,
});

/** Undefined if an entry is no life, or two entries name one signer. */
const livesIn = (named: readonly Life__Output[]): Lives | undefined => {
  const lives = new Map<PartyIndex, Uint8Array>();
  for (const { signer, life } of named) {
    const party = partyIndex(signer);
    if (party === undefined || lives.has(party) || !isLife(life)) return undefined;
    lives.set(party, life);
  }
  return lives;
};

/** A received command; undefined if it asks for nothing that this version knows, or an entry is no life. */
export const fromCommand = (wire: Command__Output): SessionCommand | undefined => {
  const command = commandIn(wire);
  const lives = livesIn(wire.lives);
  return command && lives && { session: wire.sessionId, lives, command };
};

const commandIn = (wire: Command__Output): Command | undefined => {
  const { expiresAtMs } = wire;
  switch (wire.command) {
    case "auxiliary": {
      const { epoch, authorisation } = wire.auxiliary;
      return { kind: "auxiliary", epoch, ...(authorisation === null ? {} : { authorisation }), expiresAtMs };
    }
    case "keyGeneration":
      return { kind: "key-generation", ...authorised(wire.keyGeneration), expiresAtMs };
    case "keyImport":
      return { kind: "key-import", ...authorised(wire.keyImport), expiresAtMs };
    case "keyExport":
      return { kind: "key-export", ...authorised(wire.keyExport), expiresAtMs };
    case "keyRefresh":
      return { kind: "key-refresh", ...authorised(wire.keyRefresh), expiresAtMs };
    case "keyReshare":
      return { kind: "key-reshare", ...authorised(wire.keyReshare), expiresAtMs };
    case "presigning":
      return { kind: "presigning", ...wire.presigning, expiresAtMs };
    case "signing": {
      const { partFrom: from, partCount: count, dead, ...asked } = authorised(wire.signing);
      const part = count === 0 ? {} : { part: { from, count } };
      return { kind: "signing", ...asked, dead: dead ?? undefined, ...part, expiresAtMs };
    }
    case undefined:
      return undefined;
  }
};
