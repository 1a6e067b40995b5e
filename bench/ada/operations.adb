--  SPDX-License-Identifier: MIT
--  What tasks ask of Ada's run-time system, one operation at a time: operations NAME ROUNDS. Prints the
--  processor time of a round in ns. Two runs of different length show what system calls a round makes.
pragma Locking_Policy (Ceiling_Locking);
pragma Task_Dispatching_Policy (FIFO_Within_Priorities);

with Ada.Command_Line;             use Ada.Command_Line;
with Ada.Dynamic_Priorities;
with Ada.Real_Time;                use Ada.Real_Time;
with Ada.Synchronous_Task_Control; use Ada.Synchronous_Task_Control;
with Ada.Text_IO;

procedure Operations with Priority => 10 is
   type Operation is
     (Action, Nested, Open_Entry, Closed_Entry, Delay_Until, Suspension, Rendezvous, Set_Priority);

   Measured : constant Operation := Operation'Value (Argument (1));
   Rounds   : constant Positive := Positive'Value (Argument (2));

   protected Inner with Priority => 30 is
      procedure Act;
   private
      Acts : Natural := 0;
   end Inner;

   protected Outer with Priority => 20 is
      procedure Act;
      entry Pass;
      entry Put;
      entry Take;
   private
      Full : Boolean := False;
   end Outer;

   protected body Inner is
      procedure Act is
      begin
         Acts := Acts + 1;
      end Act;
   end Inner;

   protected body Outer is
      procedure Act is
      begin
         Inner.Act;
      end Act;

      entry Pass when not Full is
      begin
         null;
      end Pass;

      entry Put when not Full is
      begin
         Full := True;
      end Put;

      entry Take when Full is
      begin
         Full := False;
      end Take;
   end Outer;

   Ping, Pong : Suspension_Object;

   --  The other side, where an operation has two: more urgent, and waiting when a round begins; in a
   --  rendezvous less urgent, so that it gets its caller's priority.
   task Partner with Priority => (if Measured = Rendezvous then 5 else 15) is
      entry Meet;
   end Partner;

   task body Partner is
   begin
      for Round in 1 .. Rounds loop
         case Measured is
            when Closed_Entry => Outer.Take;
            when Rendezvous   => accept Meet;
            when Suspension   =>
               Suspend_Until_True (Ping);
               Set_True (Pong);
            when others       => exit;
         end case;
      end loop;
   end Partner;

   function Processor_Time_In_Us return Long_Integer
     with Import, Convention => C, External_Name => "clock";

   Start : constant Long_Integer := Processor_Time_In_Us;
begin
   for Round in 1 .. Rounds loop
      case Measured is
         when Action       => Inner.Act;
         when Nested       => Outer.Act;
         when Open_Entry   => Outer.Pass;
         when Closed_Entry => Outer.Put;
         when Delay_Until  => delay until Clock + Milliseconds (1);
         when Rendezvous   => Partner.Meet;
         when Set_Priority => Ada.Dynamic_Priorities.Set_Priority (10);
         when Suspension   =>
            Set_True (Ping);
            Suspend_Until_True (Pong);
      end case;
   end loop;
   Ada.Text_IO.Put_Line
     ("ns a round:" & Long_Integer'Image ((Processor_Time_In_Us - Start) * 1000 / Long_Integer (Rounds)));
end Operations;
