import type { EditedFile } from "../edit.ts";

const GATEWAY = "packages/gateway/src";

const turns = [`${GATEWAY}/admission/fair-turns.test.ts`];

/** One tenant's requests leave turns to the others. */
export const TURN_EDITS: readonly EditedFile[] = [
  {
    path: `${GATEWAY}/admission/fair-turns.ts`,
    tests: turns,
    edits: [
      {
        weakens: "an organisation's share leaves turns to the next",
        find: "begun * (atOnce - atOnceOfOne) < (atOnce - this.#allBegun) * atOnceOfOne",
        put: "begun < atOnceOfOne && this.#allBegun < atOnce",
      },
      {
        weakens: "an organisation has a share",
        find: "begun * (atOnce - atOnceOfOne) < (atOnce - this.#allBegun) * atOnceOfOne",
        put: "begun * (atOnceOfOne - atOnceOfOne) < atOnce - this.#allBegun",
      },
      {
        weakens: "few turns are beyond a share",
        find: "(this.#beyond.get(organisation) ?? 0) < beyondForFirst",
        put: "beyondForFirst > 0",
      },
      {
        weakens: "an organisation's line is so long",
        find: "if (line.length >= waitingOfOne + (",
        put: "if (line.length >= waitingOfOne * 1_000 + (",
      },
      {
        weakens: "the line of what goes first is so long",
        find: "ROOM_OF_FIRST = 64;",
        put: "ROOM_OF_FIRST = 65;",
      },
    ],
  },
];
