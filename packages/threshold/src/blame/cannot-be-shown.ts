/**
 * A closed list of the checks whose failure only one party sees and no other can repeat:
 *
 * - a sealed message that does not open, or whose content is malformed: only its receiver can open it, and
 *   showing its content would show a share;
 * - a dealt share that is not on its polynomial: it was sealed, so the same holds.
 *
 * Such a failure ends the session and convicts nobody. Silence is not a check: the session waits, and its
 * caller reports which parties are missing.
 */
const CANNOT_BE_SHOWN: readonly RegExp[] = [
  /^round \d+: sealed message does not open$/,
  /^(keygen|refresh|reshare|import)\/2 decoding of the share: /,
  /^(keygen|refresh|reshare|import)\/2 Feldman check of the share$/,
];

/** Whether a fault of this check convicts nobody, whichever party reports it. */
export const cannotBeShown = (check: string): boolean =>
  CANNOT_BE_SHOWN.some((pattern) => pattern.test(check));
