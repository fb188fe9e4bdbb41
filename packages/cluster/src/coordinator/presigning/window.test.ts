import { expect, test } from "vitest";
import { FIRST_WINDOW, isWithinWindow, narrowed, type PresigningWindow, widened } from "./window.ts";

const places = (window: PresigningWindow): number => {
  let underWay = 0;
  while (isWithinWindow(window, underWay)) underWay += 1;
  return underWay;
};

const after = (window: PresigningWindow, times: number, by: typeof widened): PresigningWindow =>
  Array.from({ length: times }).reduce<PresigningWindow>((last) => by(last), window);

test("a window has four places at first", () => {
  expect(places(FIRST_WINDOW)).toBe(4);
});

test("a session that ends in time makes it wider by and by, to twelve places", () => {
  expect(places(after(FIRST_WINDOW, 3, widened))).toBe(4);
  expect(places(after(FIRST_WINDOW, 5, widened))).toBe(5);
  expect(places(after(FIRST_WINDOW, 1_000, widened))).toBe(12);
});

test("a session that passes its deadline halves it, down to one place and no further", () => {
  expect(places(narrowed(FIRST_WINDOW))).toBe(2);
  expect(places(after(FIRST_WINDOW, 10, narrowed))).toBe(1);
  expect(places(after(after(FIRST_WINDOW, 10, narrowed), 1, widened))).toBe(2);
});
