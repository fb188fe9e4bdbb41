import type { PartyIndex, SchemeName } from "@conclave/threshold";
import type { SigningDigest } from "../compute/observed-digest.ts";
import type { SignerConfig } from "./config.ts";
import type { SessionReport, SignerEffect } from "./effect.ts";
import type { CallId, SessionKey } from "./event.ts";
import type { Pool } from "./presigning/pool.ts";
import type { Spending } from "./presigning/spending.ts";
import type { PersistentMap } from "./records/persistent-map.ts";
import type { AuxiliaryRecord, KeyRecord, NextRecord, RequestRecord } from "./records/record.ts";
import { type Mail, takeMail } from "./session/mail.ts";

/** What an open session is for. */
export type Purpose =
  | { readonly protocol: "auxiliary"; readonly epoch: number }
  | {
      readonly protocol: "key";
      readonly keyId: string;
      readonly scheme: SchemeName;
      /** a client brings it; otherwise the signers make it */
      readonly isImported: boolean;
    }
  | { readonly protocol: "export"; readonly keyId: string; readonly epoch: number }
  | {
      readonly protocol: "key-change";
      readonly keyId: string;
      readonly scheme: SchemeName;
      /** the epoch as it was when the session began; the new one is the next */
      readonly epoch: number;
    }
  | {
      readonly protocol: "presigning";
      readonly keyId: string;
      readonly epoch: number;
      readonly auxiliaryEpoch: number;
    }
  | {
      readonly protocol: "signing";
      readonly keyId: string;
      readonly requestId: string;
      /** the request whose place it takes: the two have one account nonce (INV-4) */
      readonly replacedId: string | undefined;
      readonly digest: SigningDigest;
      /** the account nonce of a transaction; a message has none */
      readonly nonce: bigint | undefined;
      /** the presignature of the pool that is spent on it; undefined when the session makes its own */
      readonly presignature: string | undefined;
      /** when the request's nonce may be forgotten, Unix milliseconds */
      readonly requestForgetAtMs: number;
    }
  | { readonly protocol: "message"; readonly keyId: string; readonly publicKey: Uint8Array };

export interface OpenSession {
  /** the run id: what signers derive from all that they must agree on */
  readonly run: SessionKey;
  /** the session id as it was given, in hex */
  readonly given: string;
  readonly call: CallId;
  /** ascending, self included */
  readonly parties: readonly PartyIndex[];
  readonly expiresAtMs: number;
  readonly purpose: Purpose;
  /** whether the compute host has it; before, its envelopes wait in the mail */
  readonly isOpened: boolean;
  /** the tombstone is stored: the session's presignature is spent (INV-2) */
  readonly isSpent: boolean;
  readonly stage: string;
  readonly awaiting: readonly PartyIndex[];
  /** sent ahead of the session's first envelope, and with it */
  readonly announcements: readonly SignerEffect[];
  /** envelopes given to the host, by sender */
  readonly delivered: ReadonlyMap<PartyIndex, number>;
}

/** All that a signer knows. Sessions live in memory alone: a restart burns them (INV-2). */
export interface SignerState {
  readonly config: SignerConfig;
  readonly auxiliary: AuxiliaryRecord | undefined;
  readonly keys: PersistentMap<KeyRecord>;
  /** shares of next epochs, by key: they serve nothing yet */
  readonly next: PersistentMap<NextRecord>;
  readonly requests: PersistentMap<RequestRecord>;
  /** session ids that may not begin again, and until when (Unix milliseconds) */
  readonly remembered: PersistentMap<number>;
  /** those that sign messages, by their deadline: they are forgotten by a restart (begin-message.ts) */
  readonly messageSessions: PersistentMap<number>;
  /** the time of the first event, Unix milliseconds; undefined before it */
  readonly startedAtMs: number | undefined;
  readonly pool: Pool;
  readonly spending: Spending;
  readonly sessions: ReadonlyMap<SessionKey, OpenSession>;
  readonly mail: Mail;
  /** peers that cheated, and until when nobody is signed with them (P15) */
  readonly quarantine: ReadonlyMap<PartyIndex, number>;
  readonly sweptAtMs: number;
}

export interface SignerStep {
  readonly state: SignerState;
  readonly effects: readonly SignerEffect[];
}

export const unchanged = (state: SignerState): SignerStep => ({ state, effects: [] });

export const withSession = (state: SignerState, session: OpenSession): SignerState => ({
  ...state,
  sessions: new Map(state.sessions).set(session.run, session),
});

/** One step after another: their effects in this order. */
export const andThen = (first: SignerStep, next: (state: SignerState) => SignerStep): SignerStep => {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
};

/** Ends a session: the host forgets its secrets, and the mail its envelopes. */
export const endSession = (state: SignerState, { run }: OpenSession): SignerStep => {
  const sessions = new Map(state.sessions);
  sessions.delete(run);
  const { mail } = takeMail(state.mail, run);
  return { state: { ...state, sessions, mail }, effects: [{ kind: "drop", session: run }] };
};

/** Ends a session with the last word on its call. */
export const endWith = (state: SignerState, session: OpenSession, report: SessionReport): SignerStep => {
  const ended = endSession(state, session);
  return { state: ended.state, effects: [{ kind: "report", call: session.call, report }, ...ended.effects] };
};
