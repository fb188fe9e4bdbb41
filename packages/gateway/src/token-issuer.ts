import { createPublicKey, type KeyObject } from "node:crypto";
import type { World } from "@conclave/custody";
import {
  type Caller,
  type ChallengePurpose,
  issueChallengeToken,
  issueToken,
  type PendingChallenge,
  readChallengeToken,
} from "@conclave/platform";

const CHALLENGE_BYTES = 32;
const EXPIRES_AFTER_MS = 300_000;
const MILLISECONDS = 1_000;

export interface TokenIssuerOptions {
  /** the gateway's token key */
  readonly key: KeyObject;
  readonly clusterId: string;
  readonly world: World;
}

/** An issued challenge, with the token that carries it. */
interface IssuedChallenge extends Pick<PendingChallenge, "id" | "challenge" | "dateExpires"> {
  readonly token: string;
}

/** Makes the gateway's tokens: bearer tokens of callers, and tokens that carry a challenge. */
export interface TokenIssuer {
  /** Makes a bearer token; its text is shown once and not stored. */
  bearer(
    caller: Caller,
    username: string,
    lifetimeSeconds: number,
  ): Promise<{ readonly text: string; readonly dateExpires: string }>;
  /** Makes a fresh challenge and the token that carries it, valid for five minutes. */
  challenge(
    purpose: ChallengePurpose,
    claims: Omit<PendingChallenge, "id" | "challenge" | "dateExpires">,
  ): Promise<IssuedChallenge>;
  /** Reads the challenge in a token of this purpose; undefined for a token that is invalid or expired. */
  read(purpose: ChallengePurpose, token: string): Promise<PendingChallenge | undefined>;
}

export const makeTokenIssuer = ({ key, clusterId, world }: TokenIssuerOptions): TokenIssuer => {
  const verifyKey = createPublicKey(key);
  return {
    bearer: async (caller, username, lifetimeSeconds) => {
      const issuedAt = new Date(world.nowMs());
      return {
        text: await issueToken(key, { clusterId, caller, username, issuedAt, lifetimeSeconds }),
        dateExpires: new Date(issuedAt.getTime() + lifetimeSeconds * MILLISECONDS).toISOString(),
      };
    },
    challenge: async (purpose, claims) => {
      const challenge = Buffer.from(world.entropy(CHALLENGE_BYTES)).toString("base64url");
      const dateExpires = new Date(world.nowMs() + EXPIRES_AFTER_MS).toISOString();
      const made = { id: world.freshUuid(), challenge, dateExpires };
      return { ...made, token: await issueChallengeToken(key, clusterId, purpose, { ...claims, ...made }) };
    },
    read: (purpose, token) =>
      readChallengeToken(verifyKey, token, { clusterId, purpose, now: new Date(world.nowMs()) }),
  };
};
