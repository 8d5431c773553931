<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en_US">
<context>
    <name>farstate::desktop</name>
    <message numerus="yes">
        <source>%Ln run(s) of %1 steps, %2 a step; %3 for each measurement.</source>
        <translation>
            <numerusform>%Ln run of %1 steps, %2 a step; %3 for each measurement.</numerusform>
            <numerusform>%Ln runs of %1 steps, %2 a step; %3 for each measurement.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>farstate::desktop::LivePlot</name>
    <message numerus="yes">
        <source>%Ln point(s) at or below 0: ▲ at the edge</source>
        <translation>
            <numerusform>%Ln point at or below 0: ▲ at the edge</numerusform>
            <numerusform>%Ln points at or below 0: ▲ at the edge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln value(s) not finite, the first at %1</source>
        <translation>
            <numerusform>%Ln value not finite, at %1</numerusform>
            <numerusform>%Ln values not finite, the first at %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln value(s) far outside</source>
        <translation>
            <numerusform>%Ln value far outside</numerusform>
            <numerusform>%Ln values far outside</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>farstate::desktop::StartFrom</name>
    <message numerus="yes">
        <source> + %Ln change(s)</source>
        <translation>
            <numerusform> + %Ln change</numerusform>
            <numerusform> + %Ln changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TopBar</name>
    <message numerus="yes">
        <source> · %Ln change(s)</source>
        <translation>
            <numerusform> · %Ln change</numerusform>
            <numerusform> · %Ln changes</numerusform>
        </translation>
    </message>
</context>
</TS>
