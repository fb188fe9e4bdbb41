/** Operations that take a right away, and those that sign the action for it. */
const REVOKING: readonly (readonly [string, RegExp])[] = [
  ["PUT", /^\/auth\/(users|service-accounts|apps|pats)\/[^/]+\/deactivate$/],
  ["DELETE", /^\/auth\/(users|service-accounts|apps|pats)\/[^/]+$/],
  ["PUT", /^\/auth\/credentials\/deactivate$/],
  ["PUT", /^\/permissions\/[^/]+\/archive$/],
  ["DELETE", /^\/permissions\/[^/]+(\/assignments\/[^/]+)?$/],
  ["POST", /^\/auth\/action(\/init)?$/],
];

/**
 * Whether a request takes somebody's right away, or signs the action for it. It goes before others of its organisation: somebody who
 * loses a right may be the one who keeps the organisation busy.
 */
export const revokesRights = (method: string, path: string): boolean =>
  REVOKING.some(([asked, pattern]) => asked === method && pattern.test(path));
