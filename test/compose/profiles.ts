/** Networks whose nodes have a Compose profile of the same name. */
export const PROFILES = ["Algorand", "Bitcoin", "Solana", "Stellar", "Tron", "XrpLedger"];
