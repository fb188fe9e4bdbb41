import { Chance } from "@conclave/chaos";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** The chance of one thing in a world. @param name of the thing: others draw independently of it */
export const chanceOf = (seed: string, name: string): Chance =>
  new Chance(new DataView(sha256(utf8ToBytes(`${seed}/${name}`)).buffer).getUint32(0));
