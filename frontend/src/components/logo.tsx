import { cn } from "@/lib/cn";

export function LogoMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={cn("size-7 shrink-0", className)}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M10 9h12M10 16h8M10 23h12"
        className="stroke-[#042f2e]"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="22.5" cy="16" r="2.2" className="fill-[#042f2e]" />
    </svg>
  );
}

export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 text-[15px] font-semibold tracking-tight text-ink">
      <LogoMark />
      Edison
    </span>
  );
}
