/**
 * The checks whose failure one party sees and no other can repeat, a closed list:
 *
 * - a sealed message that does not open, or opens to something malformed: only its receiver can open it, and showing what
 *   it holds would show a share;
 * - a dealt share off its polynomial: it came sealed, for the same reason;
 *
 * They end a session and convict nobody. Silence has no check: the session waits, and its caller says for whom.
 */
const CANNOT_BE_SHOWN: readonly RegExp[] = [
  /^round \d+: sealed message does not open$/,
  /^(keygen|refresh|reshare|import)\/2 decoding of the share: /,
  /^(keygen|refresh|reshare|import)\/2 Feldman check of the share$/,
];

/** Whether a fault of this check convicts nobody, regardless of the reporter. */
export const cannotBeShown = (check: string): boolean =>
  CANNOT_BE_SHOWN.some((pattern) => pattern.test(check));
