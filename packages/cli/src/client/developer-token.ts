import { setTimeout as delay } from "node:timers/promises";
import type { StateLayout } from "@conclave/testbed/launch";
import { typedCommand } from "@conclave/testbed/launch";
import { z } from "zod";
import type { BannerDescription } from "../banner-description.ts";
import { shellWord } from "../shell-word.ts";

const UNAUTHORIZED = 401;
const NOT_FOUND = 404;
const PATIENCE_MS = 5_000;
/** Tokens date from a whole second. */
const RENEWAL_MS = 3_000;
const RENEWAL_PAUSE_MS = 250;

type Described = Pick<BannerDescription, "api" | "developer">;

/** A token that works, as far as the gateway says, and the lines for people where it was replaced or cannot be. */
export interface UsableToken {
  readonly token: string;
  readonly lines: readonly string[];
}

/**
 * Replaces the development user's token if the gateway refuses it: the session was ended, or the token has expired. A
 * user that was deactivated or archived gets none; the lines say what helps.
 * @param name of the cluster
 */
export const usableToken = async (
  { api, developer }: Described,
  layout: StateLayout,
  name: string,
): Promise<UsableToken> => {
  const { token, tokenFile, userId, serviceAccount } = developer;
  if ((await statusOf(api.url, "/auth/pats", token)) !== UNAUTHORIZED) return { token, lines: [] };
  const user = await userNow(api.url, userId, serviceAccount.token);
  const renewed = user === "active" ? await renewedToken(api.url, layout) : undefined;
  if (renewed !== undefined) {
    const lines = ["The token of before was logged out or has expired:", `${tokenFile} has a new one.`];
    return { token: renewed, lines };
  }
  const reset = typedCommand("reset", name);
  const lines =
    user === "deactivated"
      ? [
          "The development user was deactivated. This activates it again:",
          `curl -X PUT ${api.url}/auth/users/${userId}/activate -d {} -H 'content-type: application/json' \\`,
          `  -H "authorization: Bearer $(cat ${shellWord(serviceAccount.tokenFile)})"`,
        ]
      : [
          `The development user ${user === "archived" ? "was archived" : "may not act"}, and its token serves no more.`,
          `Use the service account's, or forget everything with \`${reset}\`.`,
        ];
  return { token, lines };
};

/** The end of sessions ends tokens of the same second, too: a new one is issued until one of a later second is there. */
const renewedToken = async (url: string, layout: StateLayout): Promise<string | undefined> => {
  const { renewDeveloperToken } = await import("@conclave/testbed");
  const until = performance.now() + RENEWAL_MS;
  while (performance.now() < until) {
    const token = await renewDeveloperToken(layout);
    if ((await statusOf(url, "/auth/pats", token)) !== UNAUTHORIZED) return token;
    await delay(RENEWAL_PAUSE_MS);
  }
  return undefined;
};

/** Asks the gateway. @returns the status of its answer; undefined where it does not answer */
const statusOf = async (url: string, path: string, token: string): Promise<number | undefined> => {
  const answer = await ask(url, path, token);
  await answer?.body?.cancel();
  return answer?.status;
};

const ask = (url: string, path: string, token: string): Promise<Response | undefined> =>
  fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);

const userSchema = z.object({ isActive: z.boolean() });

/** The standing of a user as another one sees it. */
const userNow = async (
  url: string,
  userId: string,
  token: string,
): Promise<"active" | "archived" | "deactivated" | "unknown"> => {
  const answer = await ask(url, `/auth/users/${userId}`, token);
  if (answer?.status === NOT_FOUND) return "archived";
  if (answer?.ok !== true) return "unknown";
  const { success, data } = userSchema.safeParse(await answer.json());
  if (!success) return "unknown";
  return data.isActive ? "active" : "deactivated";
};
