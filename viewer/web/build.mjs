// Builds the pages into ../static, byte for byte the same from the same lock file: no times, no paths, no maps.
//
//   node build.mjs           the pages
//   node build.mjs --tests   what `npm test` and `npm run drive` run, into out/

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "static");
process.chdir(here);

if (process.argv.includes("--tests")) {
  const tests = (folder) =>
    readdirSync(join("test", folder)).filter((name) => name.endsWith(".test.ts") || name === "pictures.ts").map((name) => join("test", folder, name));
  for (const folder of ["unit", "drive"]) {
    await build({
      entryPoints: tests(folder),
      bundle: true,
      platform: "node",
      format: "cjs",
      external: ["playwright-core", "axe-core"],
      outdir: join("out", folder),
      outExtension: { ".js": ".cjs" },
      jsx: "automatic",
      jsxImportSource: "preact",
      logLevel: "warning",
    });
  }
} else {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const made = await build({
    entryPoints: { app: "src/main.tsx" },
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["es2022", "chrome111", "firefox114", "safari16.4"],
    minify: true,
    legalComments: "none",
    charset: "utf8",
    outdir: out,
    chunkNames: "[name]",
    jsx: "automatic",
    jsxImportSource: "preact",
    metafile: true,
    logLevel: "warning",
  });
  await build({
    entryPoints: { app: "src/style/app.css" },
    bundle: true,
    minify: true,
    legalComments: "none",
    target: ["chrome111", "firefox114", "safari16.4"],
    outdir: out,
    logLevel: "warning",
  });
  for (const name of ["index.html", "icon.svg"]) copyFileSync(join("src", name), join(out, name));
  writeFileSync(join(out, "LICENSES.txt"), licences(made.metafile));
}

// The licence of every package of which something is in the bundle, by name.
function licences(metafile) {
  const packages = new Set();
  for (const path of Object.keys(metafile.inputs)) {
    const parts = relative(here, join(here, path)).split(sep);
    const at = parts.lastIndexOf("node_modules");
    if (at < 0) continue;
    const scoped = parts[at + 1].startsWith("@");
    packages.add(parts.slice(0, at + (scoped ? 3 : 2)).join("/"));
  }
  const texts = [...packages].sort().map((folder) => {
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    if (!file) throw new Error(`${about.name} has no licence file`);
    const text = readFileSync(join(folder, file), "utf8").replace(/\r\n/g, "\n").trim();
    return `${about.name} ${about.version} (${about.license})\n\n${text}\n`;
  });
  return `What the pages of the view are bundled from, besides reverie's own code.\n\n${texts.join(`\n${"-".repeat(72)}\n\n`)}`;
}
