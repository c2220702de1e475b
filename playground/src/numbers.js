// Numbers as the report page writes them (support/formatting.py, results/series.py): halves go to the even digit, as in Python.

const EXACT = 60; // Digits behind the first, more than a tie between short numbers has.

// A number with so many digits behind its first one, as digits and the exponent of the first.
function even(value, digits) {
  const [mantissa, exponent] = value.toExponential(EXACT).split("e");
  const all = mantissa.replace(".", "");
  const tie = /^50*$/.test(all.slice(digits + 1)) && Number(all[digits]) % 2 === 0;
  return tie ? `${all[0]}.${all.slice(1, digits + 1)}e${exponent}` : value.toExponential(digits);
}

// A value with this many significant digits; null where there is none.
export function rounded(value, digits) {
  if (value === null || value === undefined || Number.isNaN(value)) return null;
  return value < 0 ? -rounded(-value, digits) : Number(value === 0 ? 0 : even(value, digits - 1));
}

// A value with this many digits behind the point, and commas between thousands.
export function fixed(value, places) {
  if (value < 0) return `-${fixed(-value, places)}`;
  const digits = value === 0 ? 0 : Math.floor(Math.log10(value)) + places;
  const shown = value > 0 && digits >= 0 && digits < 20 ? Number(even(value, digits)) : value;
  return shown.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
}

// Three digits, or all there are before the point.
export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "-";
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return fixed(value, 0);
  return fixed(value, Math.abs(value) >= 10 ? 1 : 2);
}

// The same for a table: nothing where there is nothing to show.
export const known = (value) => (Number.isNaN(value) ? "" : number(value));

export const count = (many, what) => `${many.toLocaleString("en")} ${what}${many === 1 ? "" : "s"}`;

export const mean = (values) => (values.length ? values.reduce((sum, one) => sum + one, 0) / values.length : NaN);

// The value below which this share of the values lies.
export function percentile(values, share) {
  const ordered = [...values].sort((one, other) => one - other);
  return ordered.length ? ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] : NaN;
}

// A round number above all values, with a little room.
export function ceiling(values) {
  const highest = Math.max(0, ...values.filter((value) => !Number.isNaN(value)));
  if (highest <= 0) return 1;
  const wanted = 1.05 * highest;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((step) => step * power >= wanted) * power;
}
