import { keyChange } from "./two-of-three/key-change.ts";
import { servicesKilled } from "./two-of-three/services-killed.ts";
import { shareTwoOfThree } from "./two-of-three/shared-two-of-three.ts";
import { signersShort } from "./two-of-three/signers-short.ts";
import { silentNode } from "./two-of-three/silent-node.ts";

// Tests that end processes of two of three signers share one cluster, because its start is costly.
shareTwoOfThree();

// first, because it counts the existing keys and epochs
keyChange();
signersShort();
silentNode();
servicesKilled();
