/** How wild the faults of drawn worlds are. */
export interface Profile {
  /** the least and the most orchestrators of a world */
  readonly orchestrators: readonly [number, number];
  /** the least and the most gateways of a world */
  readonly gateways: readonly [number, number];
  /** how many sequences of faults are drawn: faults of one follow each other, and those of several overlap */
  readonly sequences: number;
  /** the least and the most share of the drawn faults that a world keeps */
  readonly kept: readonly [number, number];
  /** the share of statements to the database that are lost, or whose answer is */
  readonly lostStatements: number;
  /** the share of the synced writes of signers in which these die */
  readonly deathsInWrites: number;
  /** the share of worlds whose transactions spend coins, on one chain or beside those of accounts */
  readonly coins: number;
  /** the share of worlds with a hostile orchestrator */
  readonly attacked: number;
  /** the share of worlds whose orchestrators keep presignatures */
  readonly stocked: number;
  /** the share of worlds in which nodes of the chains are behind others */
  readonly lagging: number;
  /** the most that the clock of a machine is ahead or behind from the beginning, milliseconds */
  readonly clocksApartMs: number;
}

export type ProfileName = "calm" | "rough" | "hostile";

/** By name, from few faults to many at once. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  calm: {
    orchestrators: [1, 2],
    gateways: [1, 1],
    sequences: 1,
    kept: [0, 0.5],
    lostStatements: 0,
    deathsInWrites: 0,
    coins: 0.2,
    attacked: 0,
    stocked: 0.25,
    lagging: 0,
    clocksApartMs: 5,
  },
  rough: {
    orchestrators: [1, 3],
    gateways: [1, 2],
    sequences: 4,
    kept: [0, 1],
    lostStatements: 0.002,
    deathsInWrites: 0.002,
    coins: 0.2,
    attacked: 0.3,
    stocked: 0.5,
    lagging: 0.25,
    clocksApartMs: 100,
  },
  hostile: {
    orchestrators: [2, 3],
    gateways: [1, 2],
    sequences: 16,
    kept: [0.5, 1],
    lostStatements: 0.01,
    deathsInWrites: 0.01,
    coins: 0.2,
    attacked: 1,
    stocked: 0.5,
    lagging: 0.25,
    clocksApartMs: 500,
  },
};

/** The profile of a campaign that names none. */
export const USUAL_PROFILE: ProfileName = "rough";

/** Whether a text names a profile. */
export const isProfileName = (text: string): text is ProfileName => Object.hasOwn(PROFILES, text);
