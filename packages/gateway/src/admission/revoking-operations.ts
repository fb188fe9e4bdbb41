/** Operations that revoke a right, and those that sign the action for them. */
const REVOKING: readonly (readonly [string, RegExp])[] = [
  ["PUT", /^\/auth\/(users|service-accounts|apps|pats)\/[^/]+\/deactivate$/],
  ["DELETE", /^\/auth\/(users|service-accounts|apps|pats)\/[^/]+$/],
  ["PUT", /^\/auth\/credentials\/deactivate$/],
  ["DELETE", /^\/auth\/(service-accounts\/)?credentials\/[^/]+$/],
  ["DELETE", /^\/auth\/user-groups\/[^/]+(\/members)?$/],
  ["PUT", /^\/permissions\/[^/]+\/archive$/],
  ["DELETE", /^\/permissions\/[^/]+(\/assignments\/[^/]+)?$/],
  ["POST", /^\/auth\/action(\/init)?$/],
];

/**
 * Whether a request revokes a right, or signs the action for that. It goes before other requests of its organisation,
 * which may come from the person who is about to lose the right.
 */
export const revokesRights = (method: string, path: string): boolean =>
  REVOKING.some(([asked, pattern]) => asked === method && pattern.test(path));
