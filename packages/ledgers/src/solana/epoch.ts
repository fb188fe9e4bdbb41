/** Slots per epoch, constant from the first epoch on. @source Solana, solana-clock: DEFAULT_SLOTS_PER_EPOCH */
export const AGAVE_SLOTS_PER_EPOCH = 432_000;
