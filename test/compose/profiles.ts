/** Networks whose nodes run by profile: the name of each is that of its profile. */
export const PROFILES = ["Algorand", "Bitcoin", "Solana", "Stellar", "Tron", "XrpLedger"];
