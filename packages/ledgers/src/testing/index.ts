export { HandClock } from "./hand-clock.ts";
