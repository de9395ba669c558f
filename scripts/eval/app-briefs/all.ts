import { brief as bakerySite } from './briefs/bakery-site.ts';
import { brief as barChart } from './briefs/bar-chart.ts';
import { brief as chengjiTongji } from './briefs/chengji-tongji.ts';
import { brief as countdownTimer } from './briefs/countdown-timer.ts';
import { brief as gastosCompartidos } from './briefs/gastos-compartidos.ts';
import { brief as guessTheNumber } from './briefs/guess-the-number.ts';
import { brief as guestbook } from './briefs/guestbook.ts';
import { brief as habitTracker } from './briefs/habit-tracker.ts';
import { brief as loanPlan } from './briefs/loan-plan.ts';
import { brief as lunchPoll } from './briefs/lunch-poll.ts';
import { brief as memoryGame } from './briefs/memory-game.ts';
import { brief as notesWithDialogs } from './briefs/notes-with-dialogs.ts';
import { brief as orderTable } from './briefs/order-table.ts';
import { brief as packliste } from './briefs/packliste.ts';
import { brief as readerSettings } from './briefs/reader-settings.ts';
import { brief as readingList } from './briefs/reading-list.ts';
import { brief as recipeTabs } from './briefs/recipe-tabs.ts';
import { brief as registrationForm } from './briefs/registration-form.ts';
import { brief as shoppingList } from './briefs/shopping-list.ts';
import { brief as spaceQuiz } from './briefs/space-quiz.ts';
import { brief as taskQueue } from './briefs/task-queue.ts';
import { brief as temperatureConverter } from './briefs/temperature-converter.ts';
import { brief as ticTacToe } from './briefs/tic-tac-toe.ts';
import { brief as tipCalculator } from './briefs/tip-calculator.ts';
import { brief as workshopDay } from './briefs/workshop-day.ts';
import type { AppBrief } from './types.ts';

/** Every brief, in the order in which they are built. */
export const BRIEFS: readonly AppBrief[] = [
  // Lists that are kept over a reload.
  ...[habitTracker, shoppingList, readingList, packliste, taskQueue],
  // Forms and figures.
  ...[tipCalculator, temperatureConverter, loanPlan, registrationForm, gastosCompartidos],
  // Games and clocks.
  ...[ticTacToe, memoryGame, spaceQuiz, countdownTimer, guessTheNumber],
  // Tables and charts, and data that visitors share through a server.
  ...[chengjiTongji, barChart, orderTable, guestbook, lunchPoll],
  // Views, dialogs, tabs, and what fits a phone.
  ...[bakerySite, notesWithDialogs, readerSettings, recipeTabs, workshopDay],
];
