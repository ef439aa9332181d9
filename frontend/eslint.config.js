import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const noDefaultExport = {
  selector: "ExportDefaultDeclaration",
  message: "Use a named export.",
};
const noBarrel = {
  selector: "ExportAllDeclaration",
  message: "Import from the file that defines it instead of re-exporting.",
};

export default tseslint.config(
  { ignores: ["node_modules", "src/api/schema.gen.ts"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { "react-hooks": reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      "max-lines": ["error", { max: 250 }],
      "no-restricted-syntax": ["error", noBarrel],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-misused-promises": [
        "error",
        { checksVoidReturn: { attributes: false } },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "@typescript-eslint/only-throw-error": "off",
    },
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    rules: { "no-restricted-syntax": ["error", noDefaultExport, noBarrel] },
  },
  {
    files: ["public/*.js"],
    languageOptions: {
      globals: { window: "readonly", document: "readonly", localStorage: "readonly" },
    },
  },
  {
    files: ["scripts/*.mjs", "*.cjs"],
    languageOptions: {
      globals: { process: "readonly", console: "readonly", module: "writable", URL: "readonly" },
    },
  },
);
