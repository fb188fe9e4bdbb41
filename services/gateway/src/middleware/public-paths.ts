/** Calls by which somebody becomes a caller: they come without a token. */
const WITHOUT_TOKEN: ReadonlySet<string> = new Set([
  "/auth/login",
  "/auth/login/init",
  "/auth/login/code",
  "/auth/registration/init",
]);

/** Changes that are part of signing in, signing an action or registering a key: no action can be signed for them. */
const WITHOUT_ACTION: ReadonlySet<string> = new Set([
  ...WITHOUT_TOKEN,
  "/auth/action",
  "/auth/action/init",
  "/auth/credentials/init",
  "/auth/logout",
  "/auth/registration",
]);

export const needsToken = (path: string): boolean => !WITHOUT_TOKEN.has(path);
export const needsAction = (path: string): boolean => !WITHOUT_ACTION.has(path);
