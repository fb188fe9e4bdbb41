import type { SignerEffect } from "../effect.ts";
import type { SignerState } from "../state.ts";

/** Has the host drop the masks that it made, and make others for the moduli that are stored. */
export const makeAhead = ({ auxiliary }: Pick<SignerState, "auxiliary">): readonly SignerEffect[] =>
  auxiliary === undefined ? [] : [{ kind: "prepare", auxiliary: auxiliary.info }];
