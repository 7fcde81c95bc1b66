/** Plans are decided about from a list; the server does it and says what came of it. */

import * as vscode from "vscode";

import type { Server } from "./server";

export type PlanState = "open" | "applied";

interface Plan {
  id: number;
  title: string;
  reason: string;
}

interface Item extends vscode.QuickPickItem {
  plan: Plan;
}

/** Choose one of the plans of this state and have the server carry out the command about it. */
export async function decide(server: Server, command: string, state: PlanState): Promise<unknown> {
  const plans = await server.execute<Plan[] | null>("reverie.showPlans", { state, show: false });
  if (!plans) {
    return undefined; // the server has said why
  }
  if (plans.length === 0) {
    void vscode.window.showInformationMessage(
      state === "open" ? "reverie: no plan waits." : "reverie: no plan was done.",
    );
    return undefined;
  }
  const items = plans.map<Item>((plan) => ({
    plan,
    label: `${plan.id}: ${plan.title}`,
    detail: plan.reason,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: "reverie: plans" });
  return chosen && server.execute(command, { id: chosen.plan.id });
}
