/** Calls by which a person becomes a caller: without a token, or with one that is valid only for registering or recovering. */
const WITHOUT_TOKEN: ReadonlySet<string> = new Set([
  "/auth/credentials/code/init",
  "/auth/credentials/code/verify",
  "/auth/login",
  "/auth/login/code",
  "/auth/login/init",
  "/auth/login/oidc",
  "/auth/login/oidc/credentials",
  "/auth/login/oidc/init",
  "/auth/login/sso",
  "/auth/login/sso/init",
  "/auth/recover/user",
  "/auth/recover/user/code",
  "/auth/recover/user/init",
  "/auth/registration",
  "/auth/registration/code",
  "/auth/registration/enduser",
  "/auth/registration/init",
]);

/** Changes that are part of signing in, signing an action or registering a key: they need no signed action themselves. */
const WITHOUT_ACTION: ReadonlySet<string> = new Set([
  ...WITHOUT_TOKEN,
  "/auth/action",
  "/auth/action/init",
  "/auth/credentials/init",
  "/auth/logout",
]);

/** Operations with a body that change nothing. */
const READ_BY_POST = /^\/networks\/(read-contract|[^/]+\/call-function)$/;

/** Calls that wait for an identity provider. */
const AT_A_PROVIDER = /^\/auth\/login\/(oidc|sso)(\/init)?$/;

export const asksProvider = (path: string): boolean => AT_A_PROVIDER.test(path);
export const needsToken = (path: string): boolean => !WITHOUT_TOKEN.has(path);
export const needsAction = (path: string): boolean => !WITHOUT_ACTION.has(path) && !READ_BY_POST.test(path);
