import { createPublicKey } from "node:crypto";
import {
  type ActionTokenKind,
  issueActionToken,
  type NamedAction,
  readActionToken,
  type UserAction,
} from "@conclave/platform";
import type { TokenIssuerOptions } from "../token-issuer.ts";

/** Makes and reads the tokens of user actions: a challenge's identifier, and a signed action. */
export interface ActionTokens {
  /** Makes a token that names the action and expires with it. */
  issue(action: Pick<UserAction, "id" | "dateExpires">, kind: ActionTokenKind): Promise<string>;
  /** Reads which action a token names, also one that has expired; undefined if the token is invalid. */
  read(token: string, kind: ActionTokenKind): Promise<NamedAction | undefined>;
}

/** Action tokens that are JWTs, signed with the gateway's token key. */
export const makeActionTokens = ({ key, clusterId, world }: TokenIssuerOptions): ActionTokens => {
  const verifyKey = createPublicKey(key);
  return {
    issue: ({ id, dateExpires }, kind) =>
      issueActionToken(key, { clusterId, kind, actionId: id, expires: new Date(dateExpires) }),
    read: (token, kind) =>
      readActionToken(verifyKey, token, { clusterId, kind, now: new Date(world.nowMs()) }),
  };
};
