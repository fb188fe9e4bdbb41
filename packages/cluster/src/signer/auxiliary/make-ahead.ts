import type { SignerEffect } from "../effect.ts";
import type { SignerState } from "../state.ts";

/** Has the host drop its masks, and make others for the stored moduli. */
export const makeAhead = ({ auxiliary }: Pick<SignerState, "auxiliary">): readonly SignerEffect[] =>
  auxiliary === undefined ? [] : [{ kind: "prepare", auxiliary: auxiliary.info }];
