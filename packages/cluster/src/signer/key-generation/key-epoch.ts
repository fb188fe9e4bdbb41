/** The epoch of a key that was never refreshed or reshared. */
export const KEY_EPOCH_FIRST = 1;
