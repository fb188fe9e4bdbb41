/** Slots in an epoch; no epoch was ever shorter. @source Solana, solana-clock: DEFAULT_SLOTS_PER_EPOCH */
export const AGAVE_SLOTS_PER_EPOCH = 432_000;
